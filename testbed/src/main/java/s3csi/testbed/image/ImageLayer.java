package s3csi.testbed.image;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;

/** A layer as it is stored: a compressed tar, its digest, and the digest of what is compressed in it. */
record ImageLayer(Path file, String digest, String contentDigest) {
    private static final int BUFFER = 1 << 16;

    /** The header that the JDK's compressor writes has no time in it. Its best level takes eight times as long and saves one percent. */
    static ImageLayer write(LayerFiles files, Path to, Instant time) throws IOException {
        MessageDigest compressed = Digests.sha256();
        MessageDigest content = Digests.sha256();
        OutputStream stored = new DigestOutputStream(Files.newOutputStream(to), compressed);
        OutputStream archived = new DigestOutputStream(new GZIPOutputStream(stored, BUFFER), content);
        try (TarWriter tar = new TarWriter(new BufferedOutputStream(archived, BUFFER), time)) {
            files.writeTo(tar);
        }
        return new ImageLayer(to, Digests.text(compressed), Digests.text(content));
    }
}
