package s3csi.s3.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Method, target and headers of a request.
 *
 * <p>Targets are sent exactly as given: no normalisation of dots or percent signs, because S3 keys may hold them.
 */
public final class RequestHead {
    private final String method;
    private final String path;
    private final String query;
    private final List<String> headers = new ArrayList<>(32);

    /**
     * @param path encoded, beginning with a slash
     * @param query encoded, without its question mark; empty for none
     */
    public RequestHead(String method, String path, String query) {
        this.method = method;
        this.path = path;
        this.query = query;
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public String query() {
        return query;
    }

    /** Adds a header; names are lower case, values must not hold line breaks. */
    public RequestHead header(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t') {
                throw new IllegalArgumentException("header " + name + " holds a control character");
            }
        }
        headers.add(name);
        headers.add(value);
        return this;
    }

    public int headerCount() {
        return headers.size() / 2;
    }

    public String headerName(int index) {
        return headers.get(2 * index);
    }

    public String headerValue(int index) {
        return headers.get(2 * index + 1);
    }

    /**
     * The text on the wire.
     *
     * @param prefix stands before the path when a proxy wants the whole address
     * @param hopHeaders further lines, each with its line end
     */
    String render(String prefix, String hopHeaders) {
        StringBuilder out = new StringBuilder(1024);
        out.append(method).append(' ').append(prefix).append(path);
        if (!query.isEmpty()) {
            out.append('?').append(query);
        }
        out.append(" HTTP/1.1\r\n");
        for (int i = 0; i < headers.size(); i += 2) {
            out.append(headers.get(i)).append(": ").append(headers.get(i + 1)).append("\r\n");
        }
        return out.append(hopHeaders).append("\r\n").toString();
    }
}
