package s3csi.s3.xml;

import java.io.IOException;
import java.net.ProtocolException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.ETag;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectInfo;
import s3csi.s3.RestoreStatus;

/**
 * Reads a page of ListObjectsV2. Missing fields of an entry are left open for a later HEAD; a key that is no UTF-8 cannot be
 * addressed by anybody and is left out.
 */
public final class ListingReader implements XmlHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ListingReader.class);

    private final List<ObjectInfo> objects = new ArrayList<>();
    private final List<String> prefixes = new ArrayList<>();
    private @Nullable String root;
    private String continuation = "";
    private boolean truncated;
    private boolean urlEncoded;

    private String key = "";
    private long size;
    private @Nullable ETag etag;
    private Instant modified = Instant.EPOCH;
    private @Nullable String storageClass;
    private boolean restoring;
    private @Nullable Instant restoredUntil;

    private ListingReader() {}

    /**
     * Reads the answer to a request for a page.
     *
     * @throws ProtocolException when the answer is no listing, or leads nowhere: a store that says there is more must say how
     *     to get it, and not the way we came
     */
    public static ListingPage read(XmlSource source, ListRequest request) throws IOException {
        ListingReader reader = new ListingReader();
        if (!XmlReader.read(source, reader)) {
            throw new XmlReader.CutException("the answer to the listing is empty");
        }
        if (!"ListBucketResult".equals(reader.root)) {
            throw new ProtocolException("the answer to the listing is not a listing");
        }
        return reader.page(request);
    }

    private ListingPage page(ListRequest request) throws ProtocolException {
        if (request.maxKeys() > 0 && truncated && continuation.isEmpty()) {
            throw new ProtocolException("the listing goes on, but the store did not say where");
        }
        if (truncated && continuation.equals(request.continuation())) {
            throw new ProtocolException("the listing goes on where it has just been, so it would never end");
        }
        boolean isLast = continuation.isEmpty() || !truncated;
        return new ListingPage(decodedObjects(), decodedPrefixes(), isLast ? null : continuation);
    }

    private List<ObjectInfo> decodedObjects() {
        if (!urlEncoded) {
            return objects;
        }
        List<ObjectInfo> decoded = new ArrayList<>(objects.size());
        for (ObjectInfo object : objects) {
            String name = decode(object.key());
            if (name != null) {
                decoded.add(new ObjectInfo(
                        name,
                        object.size(),
                        object.etag(),
                        object.lastModified(),
                        object.storageClass(),
                        object.restore()));
            }
        }
        return decoded;
    }

    private List<String> decodedPrefixes() {
        if (!urlEncoded) {
            return prefixes;
        }
        List<String> decoded = new ArrayList<>(prefixes.size());
        for (String prefix : prefixes) {
            String name = decode(prefix);
            if (name != null) {
                decoded.add(name);
            }
        }
        return decoded;
    }

    private static @Nullable String decode(String encoded) {
        String name = UrlDecoding.decode(encoded);
        if (name == null) {
            LOG.warn("the bucket holds a key that is not UTF-8 and cannot be shown: {}", encoded);
        }
        return name;
    }

    @Override
    public void opened(String name, int depth) {
        if (depth == 1) {
            root = name;
        } else if (depth == 2 && name.equals("Contents")) {
            key = "";
            size = ObjectInfo.UNKNOWN_SIZE;
            etag = null;
            modified = Instant.EPOCH;
            storageClass = null;
            restoring = false;
            restoredUntil = null;
        }
    }

    @Override
    public void closed(String name, int depth, XmlText text) {
        switch (depth) {
            case 2 -> pageField(name, text);
            case 3 -> entryField(name, text);
            case 4 -> restoreField(name, text);
            default -> {
                // Owners and what else stores nest; of no use here.
            }
        }
    }

    private void pageField(String name, XmlText text) {
        switch (name) {
            case "Contents" -> finishEntry();
            case "IsTruncated" -> truncated = text.isTrue();
            case "NextContinuationToken" -> continuation = text.toString();
            case "EncodingType" -> urlEncoded = text.toString().equals("url");
            default -> {
                // Name, Prefix, KeyCount and so on repeat what we asked.
            }
        }
    }

    private void entryField(String name, XmlText text) {
        switch (name) {
            case "Key" -> key = text.toString();
            case "Size" -> size = text.toLong(ObjectInfo.UNKNOWN_SIZE);
            case "ETag" -> etag = ETag.parse(text.toString());
            case "LastModified" -> modified = text.toTime(Instant.EPOCH);
            case "StorageClass" -> storageClass = storageClassOf(text);
            case "Prefix" -> prefixes.add(text.toString());
            default -> {
                // Owner, ChecksumAlgorithm and so on.
            }
        }
    }

    private void restoreField(String name, XmlText text) {
        if (name.equals("IsRestoreInProgress")) {
            restoring = text.isTrue();
        } else if (name.equals("RestoreExpiryDate")) {
            restoredUntil = text.toTime(Instant.EPOCH);
        }
    }

    private void finishEntry() {
        if (key.isEmpty()) {
            return;
        }
        RestoreStatus restore = restoring
                ? RestoreStatus.IN_PROGRESS
                : restoredUntil == null ? RestoreStatus.NOT_REQUESTED : new RestoreStatus.Restored(restoredUntil);
        objects.add(new ObjectInfo(key, size, etag, modified, storageClass, restore));
    }

    private static @Nullable String storageClassOf(XmlText text) {
        String name = text.toString();
        return name.isEmpty() || name.equals("STANDARD") ? null : name;
    }
}
