package s3csi.driver;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import s3csi.driver.bucket.S3Endpoint;
import s3csi.driver.bucket.TrustedRoots;
import s3csi.driver.credentials.DriverKeys;
import s3csi.driver.grpc.EndpointAddress;
import s3csi.driver.registration.Registration;
import s3csi.health.HealthServer;
import s3csi.volume.Printable;
import s3csi.volume.Region;
import s3csi.volume.StorageClassParameters.UnknownParameters;

/** Everything the driver is told, checked before anything starts. Throws IllegalArgumentException in an administrator's words. */
record DriverConfig(
        String mountpointVersion,
        EndpointAddress csi,
        Optional<InetSocketAddress> http,
        S3Endpoint store,
        Region region,
        DriverKeys keys,
        UnknownParameters unknownParameters,
        NodeSetup node,
        Optional<Registration> registration) {

    /**
     * Reads the configuration.
     *
     * @param neighbours the directory of this program's own command file, where it is known
     */
    static DriverConfig of(DriverOptions options, Map<String, String> environment, Optional<Path> neighbours) {
        String nodeId = options.nodeId.isEmpty() ? value(environment, "CSI_NODE_NAME") : options.nodeId;
        if (nodeId.isEmpty()) {
            throw new IllegalArgumentException("node-id is required: pass --node-id or set CSI_NODE_NAME");
        }
        String endpoint = value(environment, "AWS_ENDPOINT_URL");
        if (endpoint.isEmpty()) {
            throw new IllegalArgumentException(
                    "AWS_ENDPOINT_URL environment variable must be set to the URL of the store");
        }
        EndpointAddress csi = csiAddress(options.endpoint);
        NodeSetup node = isControllerOnly(environment)
                ? new NodeSetup.ControllerOnly()
                : NodeSetupReader.read(nodeId, options, environment, neighbours);
        String caBundle = value(environment, "AWS_CA_BUNDLE");
        String region = value(environment, "AWS_REGION");
        return new DriverConfig(
                options.mountpointVersion.isEmpty()
                        ? value(environment, "MOUNTPOINT_VERSION")
                        : options.mountpointVersion,
                csi,
                httpAddress(options.httpEndpoint),
                new S3Endpoint(
                        S3Endpoint.parse(endpoint),
                        caBundle.isEmpty() ? Optional.empty() : Optional.of(TrustedRoots.with(Path.of(caBundle)))),
                region.isEmpty() ? Region.DEFAULT : new Region(region),
                new DriverKeys(directory(environment), environment),
                options.ignoreUnknownParameters ? UnknownParameters.IGNORE : UnknownParameters.REFUSE,
                node,
                RegistrationReader.read(options, csi, node));
    }

    private static Optional<Path> directory(Map<String, String> environment) {
        String directory = value(environment, "DRIVER_CREDENTIALS_DIR");
        return directory.isEmpty() ? Optional.empty() : Optional.of(Path.of(directory));
    }

    private static Optional<InetSocketAddress> httpAddress(String text) {
        try {
            return HealthServer.address(text);
        } catch (IllegalArgumentException e) {
            throw new WrongUsage("--http-endpoint: " + e.getMessage());
        }
    }

    private static EndpointAddress csiAddress(String text) {
        try {
            return EndpointAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new WrongUsage("--endpoint: " + e.getMessage());
        }
    }

    /** Whoever wrote anything else meant something, and would get a node service where a controller was wanted. */
    private static boolean isControllerOnly(Map<String, String> environment) {
        String text = value(environment, "CSI_CONTROLLER_ONLY");
        return switch (text) {
            case "true" -> true;
            case "false", "" -> false;
            default ->
                throw new IllegalArgumentException(
                        "CSI_CONTROLLER_ONLY must be true or false, not " + Printable.quoted(text));
        };
    }

    static String value(Map<String, String> environment, String name) {
        return environment.getOrDefault(name, "").strip();
    }
}
