package s3csi.filesystem.write;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Content types by the ending of a name, for the endings that people keep in buckets. */
final class ContentTypes {
    private static final Map<String, String> BY_ENDING = Map.ofEntries(
            Map.entry("avif", "image/avif"),
            Map.entry("bmp", "image/bmp"),
            Map.entry("bz2", "application/x-bzip2"),
            Map.entry("css", "text/css"),
            Map.entry("csv", "text/csv"),
            Map.entry("flac", "audio/flac"),
            Map.entry("gif", "image/gif"),
            Map.entry("gz", "application/gzip"),
            Map.entry("htm", "text/html"),
            Map.entry("html", "text/html"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("js", "text/javascript"),
            Map.entry("json", "application/json"),
            Map.entry("md", "text/markdown"),
            Map.entry("mkv", "video/x-matroska"),
            Map.entry("mp3", "audio/mpeg"),
            Map.entry("mp4", "video/mp4"),
            Map.entry("mpeg", "video/mpeg"),
            Map.entry("ogg", "audio/ogg"),
            Map.entry("otf", "font/otf"),
            Map.entry("parquet", "application/vnd.apache.parquet"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("png", "image/png"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("tar", "application/x-tar"),
            Map.entry("tif", "image/tiff"),
            Map.entry("tiff", "image/tiff"),
            Map.entry("ttf", "font/ttf"),
            Map.entry("txt", "text/plain"),
            Map.entry("wasm", "application/wasm"),
            Map.entry("wav", "audio/wav"),
            Map.entry("webm", "video/webm"),
            Map.entry("webp", "image/webp"),
            Map.entry("woff", "font/woff"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("xml", "text/xml"),
            Map.entry("yaml", "application/yaml"),
            Map.entry("yml", "application/yaml"),
            Map.entry("zip", "application/zip"),
            Map.entry("zst", "application/zstd"));

    private ContentTypes() {}

    /** The type, or null for an ending that says nothing. */
    static @Nullable String of(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot <= 0 ? null : BY_ENDING.get(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    }
}
