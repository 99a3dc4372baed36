package s3csi.driver;

import java.nio.file.Path;
import java.util.Optional;
import s3csi.driver.grpc.EndpointAddress;
import s3csi.driver.registration.Registration;
import s3csi.volume.Printable;

/** Reads how the driver is to make itself known to kubelet. */
final class RegistrationReader {
    private RegistrationReader() {}

    static Optional<Registration> read(DriverOptions options, EndpointAddress csi, NodeSetup setup) {
        if (options.registrationDirectory.isEmpty()) {
            if (!options.registrationPath.isEmpty()) {
                throw new WrongUsage("--kubelet-registration-path is of use only with --registration-dir");
            }
            return Optional.empty();
        }
        if (!(csi instanceof EndpointAddress.Unix socket)) {
            throw new WrongUsage("--registration-dir needs an --endpoint that is a Unix socket, not " + csi);
        }
        return switch (setup) {
            case NodeSetup.ControllerOnly() ->
                throw new IllegalArgumentException(
                        "--registration-dir is for a driver on a node, and with CSI_CONTROLLER_ONLY=true this is none:"
                                + " remove the one or the other");
            case NodeSetup.Node node ->
                Optional.of(new Registration(
                        absolute("--registration-dir", options.registrationDirectory),
                        options.registrationPath.isEmpty()
                                ? node.plugin().resolve(socket.path().getFileName())
                                : absolute("--kubelet-registration-path", options.registrationPath)));
        };
    }

    private static Path absolute(String option, String text) {
        Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw new WrongUsage(option + " must be an absolute path, not " + Printable.quoted(text));
        }
        return path.normalize();
    }
}
