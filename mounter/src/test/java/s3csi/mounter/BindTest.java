package s3csi.mounter;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import s3csi.linux.Processes;

/**
 * Connections over chosen interfaces. The program runs in a network of its own, which two cables connect with ours; the system there
 * would send everything through the first.
 */
final class BindTest extends MountStage {
    private static TwoCables network;
    private static Relay relay;

    @BeforeAll
    static void layCables() throws Exception {
        network = TwoCables.lay();
        relay = Relay.start(
                InetAddress.getByName(TwoCables.STORE), server.endpoint().getPort());
    }

    @AfterAll
    static void removeCables() throws Exception {
        relay.close();
        network.remove();
    }

    @BeforeEach
    void forgetCallers() {
        relay.forget();
    }

    private Program start(String... options) throws Exception {
        Map<String, String> environment = environment();
        environment.put("AWS_ENDPOINT_URL", "http://" + TwoCables.STORE + ":" + relay.port());
        environment.put("AWS_MAX_ATTEMPTS", "2");
        List<String> arguments = new ArrayList<>(List.of(BUCKET, mountPoint.toString(), "--no-log", "--foreground"));
        arguments.addAll(List.of(options));
        return started(Program.startBy(network.command(), scratch, environment, arguments));
    }

    /** Writes more at once than one connection carries. */
    private void write(String... options) throws Exception {
        Program mounted = mounted(start(options));
        byte[] bytes = new byte[40 << 20];
        new Random(1).nextBytes(bytes);
        Files.write(mountPoint.resolve("file"), bytes);
        assertThat(Files.readAllBytes(mountPoint.resolve("file"))).isEqualTo(bytes);
        Files.delete(mountPoint.resolve("file"));
        mounted.process().signal(Processes.SIGTERM);
        assertThat(mounted.exitCode()).isZero();
    }

    @Test
    void withoutTheOptionTheSystemChooses() throws Exception {
        write("--allow-delete");
        assertThat(relay.callers()).containsOnly(TwoCables.FIRST_ADDRESS);
    }

    @Test
    void everythingLeavesByTheNamedInterface() throws Exception {
        long before = network.receivedBySecond();
        write("--allow-delete", "--bind", TwoCables.SECOND);
        assertThat(relay.callers()).containsOnly(TwoCables.SECOND_ADDRESS);
        assertThat(network.receivedBySecond() - before).isGreaterThan(40 << 20);
    }

    @Test
    void severalInterfacesTakeTurns() throws Exception {
        write("--allow-delete", "--bind", TwoCables.FIRST, "--bind=" + TwoCables.SECOND);
        assertThat(relay.callers()).containsOnly(TwoCables.FIRST_ADDRESS, TwoCables.SECOND_ADDRESS);
        long first =
                relay.callers().stream().filter(TwoCables.FIRST_ADDRESS::equals).count();
        assertThat(first)
                .isBetween(relay.callers().size() / 2L, (relay.callers().size() + 1) / 2L);
    }

    @Test
    void anInterfaceThatIsNotThereIsRefusedInWords() throws Exception {
        Program refused = start("--bind", "s3csi-none");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.printed())
                .contains("there is no network interface 's3csi-none'")
                .contains(TwoCables.FIRST, TwoCables.SECOND);
    }
}
