package s3csi.testbed.bench.engine;

import static s3csi.testbed.contender.Contender.MOUNTPOINT;
import static s3csi.testbed.contender.Contender.OURS;
import static s3csi.testbed.contender.Contender.OURS_SMALL;
import static s3csi.testbed.contender.Contender.S3FS;

import java.util.List;
import s3csi.testbed.contender.Contender;

/** All jobs with their bars, in the order in which they run. */
final class Jobs {
    private static final List<Contender> ALL = List.of(OURS, MOUNTPOINT, S3FS);

    /** s3fs asks the store about every key by itself: 20 ms later each, it would take the whole day. */
    private static final List<Contender> ENGINES = List.of(OURS, MOUNTPOINT);

    private Jobs() {}

    static List<Job> quick() {
        return List.of(read1(), new SequentialWrite(ALL));
    }

    static List<Job> all(int keysToList) {
        return List.of(
                read1(),
                new SequentialRead(
                        "read-4",
                        "sequential read of 1 GiB by 4 streams",
                        Medium.PLAIN,
                        4,
                        ALL,
                        Bar.all(Bar.faster(1.1), Bar.cpu(0.75), Bar.memory(0.3))),
                new SequentialWrite(ALL),
                new RandomRead("random-256k", Medium.PLAIN, 256 << 10, 256, ALL),
                new RandomRead("random-4k", Medium.PLAIN, 4 << 10, 512, ALL),
                SmallFiles.cold(ALL),
                SmallFiles.again(ALL),
                new CreateFiles(ALL),
                new SequentialRead(
                        "read-1-late",
                        "sequential read of 1 GiB by 1 stream, 20 ms late",
                        Medium.LATE,
                        1,
                        List.of(OURS, OURS_SMALL, MOUNTPOINT),
                        Bar.all(new Bar.Ratio(Quantity.SPEED, OURS_SMALL, OURS, 0.9))),
                new RandomRead("random-256k-late", Medium.LATE, 256 << 10, 64, ENGINES),
                new RandomRead("random-4k-late", Medium.LATE, 4 << 10, 64, ENGINES),
                new DirectoryListing(keysToList, ENGINES),
                overTls("read-1-tls", 1),
                overTls("read-4-tls", 4));
    }

    private static Job read1() {
        return new SequentialRead(
                "read-1",
                "sequential read of 1 GiB by 1 stream",
                Medium.PLAIN,
                1,
                ALL,
                Bar.all(Bar.faster(1.1), Bar.cpu(0.75), Bar.memory(0.3)));
    }

    private static Job overTls(String name, int streams) {
        return new SequentialRead(
                name,
                "sequential read of 1 GiB by %d stream%s over TLS".formatted(streams, streams == 1 ? "" : "s"),
                Medium.TLS,
                streams,
                ENGINES,
                Bar.all(Bar.faster(1.0), Bar.cpu(1.0)));
    }
}
