package s3csi.s3.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectInfo;

/** Folds keys into pages as stores do: in byte order, or in a seeded other order as stores without an index may. */
final class MemoryListing {
    /** The order of UTF-8 bytes, which differs from that of UTF-16 units beyond the basic plane. */
    static final Comparator<String> BYTE_ORDER = (a, b) -> {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean differs = Character.isSurrogate(x) != Character.isSurrogate(y);
                return differs ? (Character.isSurrogate(x) ? 1 : -1) : x - y;
            }
        }
        return a.length() - b.length();
    };

    private MemoryListing() {}

    static ListingPage page(
            NavigableMap<String, StoredObject> objects, ListRequest request, int pageLimit, OptionalLong shuffle) {
        int limit = Math.min(request.maxKeys(), pageLimit);
        if (limit == 0) {
            return new ListingPage(List.of(), List.of(), null);
        }
        return shuffle.isPresent()
                ? shuffled(objects, request, limit, shuffle.getAsLong())
                : ordered(objects, request, limit);
    }

    private static ListingPage ordered(NavigableMap<String, StoredObject> objects, ListRequest request, int limit) {
        String after = request.continuation();
        List<ObjectInfo> found = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        String last = null;
        NavigableMap<String, StoredObject> rest = objects.tailMap(request.prefix(), true);
        if (after != null && BYTE_ORDER.compare(after, request.prefix()) > 0) {
            rest = rest.tailMap(after, false);
        }
        for (Map.Entry<String, StoredObject> entry : rest.entrySet()) {
            String key = entry.getKey();
            if (!key.startsWith(request.prefix())) {
                break;
            }
            String folded = fold(key, request);
            boolean isPrefix = isPrefix(key, request);
            if (isPrefix && (folded.equals(last) || folded.equals(request.continuation()))) {
                continue;
            }
            if (found.size() + prefixes.size() == limit) {
                return new ListingPage(found, prefixes, last);
            }
            if (isPrefix) {
                prefixes.add(folded);
            } else {
                found.add(entry.getValue().info());
            }
            last = folded;
        }
        return new ListingPage(found, prefixes, null);
    }

    /** The key, or the common prefix it disappears in. */
    private static String fold(String key, ListRequest request) {
        if (request.delimiter().isEmpty()) {
            return key;
        }
        int cut = key.indexOf(request.delimiter(), request.prefix().length());
        return cut < 0 ? key : key.substring(0, cut + request.delimiter().length());
    }

    private static boolean isPrefix(String key, ListRequest request) {
        return !request.delimiter().isEmpty()
                && key.indexOf(request.delimiter(), request.prefix().length()) >= 0;
    }

    private static ListingPage shuffled(
            NavigableMap<String, StoredObject> objects, ListRequest request, int limit, long seed) {
        Set<String> names = new LinkedHashSet<>();
        for (String key : objects.tailMap(request.prefix(), true).keySet()) {
            if (!key.startsWith(request.prefix())) {
                break;
            }
            names.add(fold(key, request));
        }
        List<String> order = new ArrayList<>(names);
        order.sort(
                Comparator.comparingLong((String name) -> scramble(name, seed)).thenComparing(BYTE_ORDER));
        int from = request.continuation() == null ? 0 : order.indexOf(request.continuation()) + 1;
        int to = Math.min(from + limit, order.size());
        List<ObjectInfo> found = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        for (String name : order.subList(from, to)) {
            StoredObject object = isPrefix(name, request) ? null : objects.get(name);
            if (object == null) {
                prefixes.add(name);
            } else {
                found.add(object.info());
            }
        }
        return new ListingPage(found, prefixes, to == order.size() ? null : order.get(to - 1));
    }

    private static long scramble(String name, long seed) {
        long mixed = (name.hashCode() + seed) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }
}
