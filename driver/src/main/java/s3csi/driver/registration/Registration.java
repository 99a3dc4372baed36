package s3csi.driver.registration;

import java.nio.file.Path;
import s3csi.volume.Driver;

/**
 * Where and as what the driver makes itself known.
 *
 * @param directory the one that kubelet watches, as the driver sees it
 * @param csi the CSI socket, as kubelet sees it
 */
public record Registration(Path directory, Path csi) {
    /** As node-driver-registrar calls it, so that the one replaces what the other left. */
    private static final String SOCKET = Driver.NAME + "-reg.sock";

    public Path socket() {
        return directory.resolve(SOCKET);
    }
}
