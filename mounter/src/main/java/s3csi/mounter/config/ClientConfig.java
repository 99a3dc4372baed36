package s3csi.mounter.config;

import java.util.List;
import java.util.OptionalLong;

/**
 * How much of the machine a mount may take.
 *
 * @param throughputGbps what to expect of the network
 * @param maxThreads that read requests of the kernel
 * @param memoryTarget bytes; empty to find out
 * @param readPartSize bytes of a request for reading
 * @param writePartSize bytes of a part of an upload
 * @param interfaces of the network, for connections to the store; none to leave that to the system
 */
public record ClientConfig(
        int throughputGbps,
        int maxThreads,
        OptionalLong memoryTarget,
        long readPartSize,
        long writePartSize,
        List<String> interfaces) {
    /** What one connection carries, as mount-s3 estimates it. */
    private static final double GBPS_OF_A_CONNECTION = 0.4;

    /** The least memory that a mount can promise to stay below: a hundred readers and twenty writers take 120 MiB of it. */
    public static final long LEAST_MEMORY = 128L << 20;

    public static final int DEFAULT_THROUGHPUT_GBPS = 10;
    public static final int DEFAULT_THREADS = 16;
    public static final long DEFAULT_PART_SIZE = 8L << 20;

    public ClientConfig {
        interfaces = List.copyOf(interfaces);
    }

    public int connections() {
        return (int) Math.ceil(throughputGbps / GBPS_OF_A_CONNECTION);
    }
}
