package s3csi.mounter.config;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * How much of the machine a mount may take, and of its users' time.
 *
 * @param throughputGbps what to expect of the network
 * @param maxThreads that read requests of the kernel
 * @param memoryTarget bytes; empty to find out
 * @param storePatience how long requests wait for a store that is away; zero for mount-s3's way
 * @param interfaces of the network, for connections to the store; none to leave that to the system
 */
public record ClientConfig(
        int throughputGbps,
        int maxThreads,
        OptionalLong memoryTarget,
        Duration storePatience,
        List<String> interfaces) {
    /** What one connection carries, as mount-s3 estimates it. */
    private static final double GBPS_OF_A_CONNECTION = 0.4;

    /** The least memory that a mount can promise to stay below: a hundred readers and twenty writers take 120 MiB of it. */
    public static final long LEAST_MEMORY = 128L << 20;

    public static final int DEFAULT_THROUGHPUT_GBPS = 10;
    public static final int DEFAULT_THREADS = 16;
    /** Longer than a store takes to be restarted or to fail over; shorter than people take to restart what hangs. */
    public static final Duration DEFAULT_STORE_PATIENCE = Duration.ofSeconds(60);

    public ClientConfig {
        interfaces = List.copyOf(interfaces);
    }

    public int connections() {
        return (int) Math.ceil(throughputGbps / GBPS_OF_A_CONNECTION);
    }
}
