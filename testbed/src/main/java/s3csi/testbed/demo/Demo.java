package s3csi.testbed.demo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.LastRites;
import s3csi.s3.testing.server.S3Store;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * One volume's life on one machine: {@code Demo <lock file> [--keep] --store NAME} or {@code --end}. Kept, it stays mounted until somebody ends it; ended is
 * also what a killed demo left.
 */
public final class Demo {
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(60);

    /** Nobody has forgotten it by then. */
    private static final Duration KEPT_FOR = Duration.ofDays(1);

    private Demo() {}

    public static void main(String[] arguments) {
        Path lockFile = Path.of(arguments[0]);
        List<String> options = List.of(arguments).subList(1, arguments.length);
        if (options.contains("--end")) {
            end(lockFile);
            return;
        }
        Optional<DemoPlace> place = DemoPlace.take(lockFile);
        if (place.isEmpty()) {
            System.err.println("s3csi: a demo runs or is kept in this checkout; ./s3csi demo --end ends it");
            System.exit(1);
        }
        String store = options.get(options.indexOf("--store") + 1);
        try (DemoPlace held = place.orElseThrow()) {
            play(held, store, options.contains("--keep"));
        } catch (RuntimeException failure) {
            if (LastRites.haveBegun()) {
                // Ctrl-C: servers and mounts are taken away under what was going on, and nothing of that is news.
                return;
            }
            throw failure;
        }
    }

    private static void play(DemoPlace place, String name, boolean keep) {
        Story story = new Story(System.out);
        try (DemoStore chosen = story.step(
                        () -> DemoStore.named(name, System.getenv()),
                        s3 -> s3.title() + " serves at " + s3.store().endpoint());
                DriverProgram controller = story.step(
                        () -> DriverProgram.start(
                                inUtf8(DriverProgram.environment(chosen.store())), place.directory("controller")),
                        driver -> "the controller listens on " + driver.socket());
                NodeProgram node = story.step(
                        () -> NodeProgram.start(
                                inUtf8(NodeProgram.environment(chosen.store())), place.directory("node")),
                        driver -> "the node listens on " + driver.driver().socket());
                S3Client s3 = S3Clients.root(chosen.store())) {
            VolumeLife life = new VolumeLife(story, controller, node, s3);
            life.begin();
            life.share();
            if (keep) {
                keep(place, chosen.store(), life);
            }
            life.end();
        }
        story.end("the demo stopped what it had started and removed its files");
    }

    /**
     * In a locale without UTF-8 the driver begins again in one with it, by another of its threads, and the kernel forgets then that it shall
     * die with us.
     */
    private static Map<String, String> inUtf8(Map<String, String> environment) {
        Map<String, String> complete = new HashMap<>(environment);
        complete.put("LC_ALL", "C.UTF-8");
        return complete;
    }

    private static void keep(DemoPlace place, S3Store store, VolumeLife life) {
        System.out.printf(
                """
                kept: the bucket %s is mounted at both of these:
                  %s
                  %s
                use them as any directory, for example: echo hi > %s/note.txt
                the store is %s; access key %s, secret key %s
                ./s3csi demo --end ends it
                """,
                life.bucket(),
                life.first(),
                life.second(),
                life.first(),
                store.endpoint(),
                store.root().accessKeyId(),
                store.root().secretAccessKey());
        System.out.flush();
        Await.until(KEPT_FOR, () -> "the demo was kept for " + KEPT_FOR, place::isAskedToEnd);
    }

    private static void end(Path lockFile) {
        if (DemoPlace.clear(lockFile)) {
            System.out.println("done: no demo runs, and nothing of one is left");
            return;
        }
        DemoPlace.askToEnd(lockFile);
        Await.until(
                ENDED_WITHIN, () -> "the demo has not ended within " + ENDED_WITHIN, () -> DemoPlace.clear(lockFile));
        System.out.println("done: the demo has ended, and nothing of it is left");
    }
}
