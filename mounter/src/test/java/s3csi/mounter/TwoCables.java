package s3csi.mounter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace with two virtual cables to ours. The store's address is behind both, nearer through the first. The addresses are of
 * the range that is kept for tests of networks.
 */
final class TwoCables {
    static final String FIRST = "s3csi-in1";
    static final String SECOND = "s3csi-in2";
    static final String FIRST_ADDRESS = "198.18.1.2";
    static final String SECOND_ADDRESS = "198.18.2.2";
    static final String STORE = "198.18.1.1";

    private static final String FIRST_OUTSIDE = "s3csi-out1";
    private static final String SECOND_OUTSIDE = "s3csi-out2";
    private static final String NAMESPACE = "s3csi-bind";

    private TwoCables() {}

    static TwoCables lay() throws Exception {
        TwoCables network = new TwoCables();
        // What a test that was killed left behind.
        network.remove();
        boolean done = false;
        try {
            ip("netns", "add", NAMESPACE);
            cable(FIRST, FIRST_ADDRESS, FIRST_OUTSIDE, "198.18.1.1");
            cable(SECOND, SECOND_ADDRESS, SECOND_OUTSIDE, "198.18.2.1");
            ip("-n", NAMESPACE, "route", "add", STORE, "dev", FIRST, "metric", "100");
            ip("-n", NAMESPACE, "route", "add", STORE, "via", "198.18.2.1", "dev", SECOND, "metric", "1000");
            // Answers may come by the way that the system itself would not take.
            ip("netns", "exec", NAMESPACE, "sh", "-c", "echo 2 >/proc/sys/net/ipv4/conf/all/rp_filter");
            done = true;
            return network;
        } finally {
            if (!done) {
                network.remove();
            }
        }
    }

    private static void cable(String inside, String insideAddress, String outside, String outsideAddress)
            throws Exception {
        ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", NAMESPACE);
        ip("address", "add", outsideAddress + "/30", "dev", outside);
        ip("link", "set", outside, "up");
        ip("-n", NAMESPACE, "address", "add", insideAddress + "/30", "dev", inside);
        ip("-n", NAMESPACE, "link", "set", inside, "up");
    }

    /** What a command line begins with to run there, with the same files and mounts as here. */
    List<String> command() {
        return List.of("/usr/bin/nsenter", "--net=/run/netns/" + NAMESPACE, "--");
    }

    /** Bytes that came through the second cable. */
    long receivedBySecond() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/sys/class/net", SECOND_OUTSIDE, "statistics/rx_bytes"))
                .strip());
    }

    void remove() throws Exception {
        if (Files.exists(Path.of("/run/netns", NAMESPACE))) {
            // The ends outside go with those inside, but not at once.
            for (String end : List.of(FIRST_OUTSIDE, SECOND_OUTSIDE)) {
                if (Files.exists(Path.of("/sys/class/net", end))) {
                    ip("link", "del", end);
                }
            }
            ip("netns", "del", NAMESPACE);
        }
    }

    private static void ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError(String.join(" ", command) + " failed: " + output);
        }
    }
}
