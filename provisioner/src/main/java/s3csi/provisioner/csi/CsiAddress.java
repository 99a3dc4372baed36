package s3csi.provisioner.csi;

import java.nio.file.Path;
import s3csi.volume.Printable;

/** Where the driver listens, as csi-provisioner takes it: {@code unix:///csi/csi.sock}, or the path alone. */
public record CsiAddress(Path socket) {
    private static final String SCHEME = "unix:";

    /**
     * Reads an option.
     *
     * @throws IllegalArgumentException in an administrator's words
     */
    public static CsiAddress parse(String text) {
        String path = text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : text;
        if (path.startsWith("//")) {
            path = path.substring(2);
        }
        if (!path.startsWith("/") || path.equals("/")) {
            throw new IllegalArgumentException(
                    "the address of a driver must be unix:///path/to/csi.sock, not " + Printable.quoted(text));
        }
        return new CsiAddress(Path.of(path).normalize());
    }

    @Override
    public String toString() {
        return socket.toString();
    }
}
