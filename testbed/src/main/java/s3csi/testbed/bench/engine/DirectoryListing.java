package s3csi.testbed.bench.engine;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.contender.Contender;

/** {@code ls -f} of one directory with very many files. */
final class DirectoryListing implements Job {
    private static final String DIRECTORY = "many";
    private static final int KEYS_OF_ARCHIVE = 2500;

    private final int keys;
    private final List<Contender> contenders;
    private long listed;

    DirectoryListing(int keys, List<Contender> contenders) {
        this.keys = keys;
        this.contenders = contenders;
    }

    @Override
    public String name() {
        return "list";
    }

    @Override
    public String title() {
        return "%,d keys of one directory listed, 20 ms late".formatted(keys);
    }

    @Override
    public Medium medium() {
        return Medium.LATE;
    }

    @Override
    public List<Contender> contenders() {
        return contenders;
    }

    @Override
    public List<Bar> bars() {
        return Bar.all(Bar.faster(2.0));
    }

    @Override
    public Work work() {
        return new Work(keys, "keys");
    }

    /** By archives that the store unpacks: far fewer requests, and small enough that none outlives a timeout. */
    @Override
    public void prepare(BenchStore store, int rounds) throws IOException {
        Path directory = Scratch.directoryInMemory("archive");
        for (int first = 0; first < keys; first += KEYS_OF_ARCHIVE) {
            Path archive = directory.resolve("many-%d.tar".formatted(first));
            write(archive, first, Math.min(keys, first + KEYS_OF_ARCHIVE));
            store.ensureUnpacked(archive);
        }
        Scratch.delete(directory);
        if (store.count(DIRECTORY + "/", 1) != keys) {
            throw new IOException("the store has not unpacked " + keys + " keys");
        }
    }

    private static void write(Path archive, int from, int to) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(archive), 1 << 16)) {
            for (int key = from; key < to; key++) {
                out.write(tarEntry("%s/key-%08d".formatted(DIRECTORY, key)));
            }
            out.write(new byte[1024]);
        }
    }

    /** A file of one byte: a ustar header and a block. */
    private static byte[] tarEntry(String name) {
        byte[] entry = new byte[1024];
        put(entry, 0, name);
        put(entry, 100, "0000644");
        put(entry, 108, "0000000");
        put(entry, 116, "0000000");
        put(entry, 124, "00000000001");
        put(entry, 136, "14000000000");
        put(entry, 148, "        ");
        put(entry, 156, "0");
        put(entry, 257, "ustar");
        put(entry, 263, "00");
        int sum = 0;
        for (int at = 0; at < 512; at++) {
            sum += entry[at] & 0xff;
        }
        put(entry, 148, "%06o".formatted(sum));
        entry[154] = 0;
        entry[512] = 'x';
        return entry;
    }

    private static void put(byte[] into, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, into, at, bytes.length);
    }

    @Override
    public void run(Turn turn) throws IOException {
        listed = 0;
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(turn.mount().resolve(DIRECTORY))) {
            for (Path ignored : entries) {
                listed++;
            }
        }
    }

    @Override
    public void check(Turn turn, BenchStore store) throws IOException {
        if (listed != keys) {
            throw new IOException("%d of %d keys were listed".formatted(listed, keys));
        }
    }
}
