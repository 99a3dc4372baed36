package s3csi.s3.testing;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectInfo;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;

/**
 * A bucket in memory that speaks S3, for a {@link ScriptedServer}: as much as a file system asks for. Scripts let it answer what they do not
 * spoil themselves.
 */
public final class StoreScript implements ScriptedServer.Script {
    private static final Pattern PART =
            Pattern.compile("<PartNumber>(\\d+)</PartNumber><ETag>&quot;([^&]*)&quot;</ETag>");

    private final MemoryObjectStore store;

    public StoreScript(MemoryObjectStore store) {
        this.store = store;
    }

    /** The key of a request, or the empty string if it is about the bucket. */
    public static String keyOf(ScriptedServer.Request request) {
        String path = request.target().split("\\?", 2)[0];
        int slash = path.indexOf('/', 1);
        return slash < 0
                ? ""
                : URLDecoder.decode(path.substring(slash + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** What stands behind the question mark. */
    public static Map<String, String> queryOf(ScriptedServer.Request request) {
        Map<String, String> query = new HashMap<>();
        String[] halves = request.target().split("\\?", 2);
        for (String pair : halves.length == 2 ? halves[1].split("&") : new String[0]) {
            String[] both = pair.split("=", 2);
            query.put(both[0], both.length == 2 ? URLDecoder.decode(both[1], StandardCharsets.UTF_8) : "");
        }
        return query;
    }

    @Override
    public void answer(ScriptedServer.Request request, Reply reply) throws IOException {
        Map<String, String> query = queryOf(request);
        String key = keyOf(request);
        try {
            switch (request.method()) {
                case "GET" -> {
                    if (key.isEmpty()) {
                        list(query, reply);
                    } else {
                        get(key, request, reply);
                    }
                }
                case "HEAD" -> head(key, reply);
                case "PUT" -> put(key, query, request, reply);
                case "POST" -> post(key, query, request, reply);
                case "DELETE" -> delete(key, query, reply);
                default -> reply.error(405, "MethodNotAllowed");
            }
        } catch (StoreException e) {
            boolean hasBody = !request.method().equals("HEAD");
            if (hasBody) {
                reply.error(e.answer().status(), e.answer().code());
            } else {
                reply.send("HTTP/1.1 " + e.answer().status() + " X\r\n\r\n");
            }
        }
    }

    private void get(String key, ScriptedServer.Request request, Reply reply) throws IOException, StoreException {
        ObjectInfo info = store.head(key);
        String etag = text(info.etag());
        String wanted = request.header("if-match");
        if (!wanted.isEmpty() && !wanted.equals('"' + etag + '"')) {
            reply.error(412, "PreconditionFailed");
            return;
        }
        reply.object(request, bytes(key), etag);
    }

    private byte[] bytes(String key) {
        StoredObject object = store.find(key);
        if (object == null) {
            return new byte[0];
        }
        byte[] bytes = new byte[Math.toIntExact(object.content().size())];
        object.content().read(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private void head(String key, Reply reply) throws IOException, StoreException {
        ObjectInfo info = store.head(key);
        reply.send("HTTP/1.1 200 X\r\netag: \"" + text(info.etag()) + "\"\r\nlast-modified: "
                + DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        info.lastModified().atOffset(ZoneOffset.UTC))
                + "\r\ncontent-length: " + info.size() + "\r\n\r\n");
    }

    private static String text(@Nullable ETag etag) {
        return etag == null ? "" : etag.text();
    }

    private void list(Map<String, String> query, Reply reply) throws IOException, StoreException {
        ListingPage page = store.list(new ListRequest(
                query.getOrDefault("prefix", ""),
                query.getOrDefault("delimiter", ""),
                Integer.parseInt(query.getOrDefault("max-keys", "1000")),
                query.get("continuation-token")));
        StringBuilder out = new StringBuilder("<ListBucketResult><EncodingType>url</EncodingType>");
        out.append("<IsTruncated>").append(page.continuation() != null).append("</IsTruncated>");
        if (page.continuation() != null) {
            out.append("<NextContinuationToken>")
                    .append(encoded(page.continuation()))
                    .append("</NextContinuationToken>");
        }
        for (ObjectInfo info : page.objects()) {
            out.append("<Contents><Key>").append(encoded(info.key())).append("</Key><LastModified>");
            out.append(info.lastModified())
                    .append("</LastModified><ETag>&quot;")
                    .append(text(info.etag()));
            out.append("&quot;</ETag><Size>").append(info.size()).append("</Size></Contents>");
        }
        for (String prefix : page.commonPrefixes()) {
            out.append("<CommonPrefixes><Prefix>").append(encoded(prefix)).append("</Prefix></CommonPrefixes>");
        }
        reply.answer(200, "", out.append("</ListBucketResult>").toString());
    }

    private static String encoded(String text) {
        return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void put(String key, Map<String, String> query, ScriptedServer.Request request, Reply reply)
            throws IOException, StoreException {
        try (Arena arena = Arena.ofShared()) {
            byte[] bytes = request.body().getBytes(StandardCharsets.ISO_8859_1);
            Payload body = Payload.of(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
            ETag etag = query.containsKey("uploadId")
                    ? store.uploadPart(upload(key, query), Integer.parseInt(query.getOrDefault("partNumber", "")), body)
                            .etag()
                    : store.put(key, body, ObjectAttributes.DEFAULTS, Condition.NONE);
            reply.answer(200, "etag: \"" + etag.text() + "\"\r\n", "");
        }
    }

    private static Upload upload(String key, Map<String, String> query) {
        return new Upload(key, query.getOrDefault("uploadId", ""), UploadChecksum.OFF);
    }

    private void post(String key, Map<String, String> query, ScriptedServer.Request request, Reply reply)
            throws IOException, StoreException {
        if (query.containsKey("uploads")) {
            String id = store.createUpload(key, ObjectAttributes.DEFAULTS).id();
            reply.answer(
                    200,
                    "",
                    "<InitiateMultipartUploadResult><UploadId>" + id + "</UploadId></InitiateMultipartUploadResult>");
            return;
        }
        List<UploadedPart> parts = new ArrayList<>();
        Matcher each = PART.matcher(request.body());
        while (each.find()) {
            parts.add(new UploadedPart(Integer.parseInt(each.group(1)), 0, new ETag(each.group(2)), null));
        }
        ETag etag = store.completeUpload(upload(key, query), parts, Condition.NONE);
        reply.answer(
                200,
                "",
                "<CompleteMultipartUploadResult><ETag>&quot;" + etag.text()
                        + "&quot;</ETag></CompleteMultipartUploadResult>");
    }

    private void delete(String key, Map<String, String> query, Reply reply) throws IOException, StoreException {
        if (query.containsKey("uploadId")) {
            store.abortUpload(upload(key, query));
        } else {
            store.delete(key);
        }
        reply.send("HTTP/1.1 204 X\r\n\r\n");
    }
}
