package s3csi.s3.xml;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document from start to end and tells a handler. Tolerant of control characters that XML forbids, because keys may hold
 * them; strict about structure, because a document that was cut must not pass for a whole one.
 */
public final class XmlReader {
    private static final int DEEPEST = 16;
    private static final int LONGEST_TEXT = 64 * 1024;
    private static final int LONGEST_NAME = 128;
    /**
     * A page of a listing has a thousand keys of 1024 bytes at most, each byte written as three, with some hundred bytes beside each.
     * What a store sends beyond that was not asked for, and would end up on the heap.
     */
    private static final long LONGEST_DOCUMENT = 4L << 20;

    private final XmlSource source;
    private final XmlHandler handler;
    private final byte[] buffer = new byte[4096];
    private final Deque<String> open = new ArrayDeque<>();
    private final XmlText text = new XmlText();
    private final StringBuilder name = new StringBuilder(32);
    private int at;
    private int end;
    private long length;
    private boolean rootSeen;

    private XmlReader(XmlSource source, XmlHandler handler) {
        this.source = source;
        this.handler = handler;
    }

    /**
     * Reads a whole document.
     *
     * @return false when there was nothing but white space
     * @throws CutException when it ends too early
     * @throws ProtocolException when it is not well-formed
     */
    public static boolean read(XmlSource source, XmlHandler handler) throws IOException {
        XmlReader reader = new XmlReader(source, handler);
        reader.document();
        return reader.rootSeen;
    }

    /** A document that ends before its root does. */
    public static final class CutException extends ProtocolException {
        private static final long serialVersionUID = 1;

        CutException(String message) {
            super(message);
        }
    }

    private void document() throws IOException {
        for (int b = next(); b >= 0; b = next()) {
            if (b == '<') {
                markup();
            } else if (!open.isEmpty()) {
                content(b);
            } else if (!isSpace(b) && !isByteOrderMark(b)) {
                throw new ProtocolException("the answer is not XML");
            }
        }
        if (!open.isEmpty()) {
            throw new CutException("the XML of the answer ends within <" + open.peek() + ">");
        }
    }

    private void content(int b) throws IOException {
        if (b == '&') {
            entity();
        } else {
            text.append((byte) b);
        }
        if (text.length() > LONGEST_TEXT) {
            throw new ProtocolException("a text in the XML of the answer is too long");
        }
    }

    private void markup() throws IOException {
        int b = must();
        switch (b) {
            case '?' -> skipPast("?>");
            case '!' -> declaration();
            case '/' -> closeTag();
            default -> openTag(b);
        }
    }

    private void declaration() throws IOException {
        int b = must();
        if (b == '-' && must() == '-') {
            skipPast("-->");
        } else if (b == '[' && isNext("CDATA[")) {
            characterData();
        } else {
            throw new ProtocolException("the XML of the answer has a document type, which is not accepted");
        }
    }

    private boolean isNext(String expected) throws IOException {
        for (int i = 0; i < expected.length(); i++) {
            if (must() != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void characterData() throws IOException {
        int brackets = 0;
        while (true) {
            int b = must();
            if (b == '>' && brackets >= 2) {
                appendBrackets(brackets - 2);
                return;
            }
            if (b == ']') {
                brackets++;
            } else {
                appendBrackets(brackets);
                brackets = 0;
                text.append((byte) b);
            }
            if (text.length() > LONGEST_TEXT) {
                throw new ProtocolException("a text in the XML of the answer is too long");
            }
        }
    }

    private void appendBrackets(int count) {
        for (int i = 0; i < count; i++) {
            text.append((byte) ']');
        }
    }

    private void skipPast(String ending) throws IOException {
        StringBuilder last = new StringBuilder();
        while (!last.toString().equals(ending)) {
            last.append((char) must());
            if (last.length() > ending.length()) {
                last.deleteCharAt(0);
            }
        }
    }

    private void openTag(int first) throws IOException {
        int b = readName(first);
        String element = localName();
        boolean empty = false;
        while (b != '>') {
            if (b == '"' || b == '\'') {
                skipPast(String.valueOf((char) b));
                empty = false;
            } else {
                empty = b == '/';
            }
            b = must();
        }
        if (open.isEmpty() && rootSeen) {
            throw new ProtocolException("the XML of the answer has two roots");
        }
        rootSeen = true;
        open.push(element);
        if (open.size() > DEEPEST) {
            throw new ProtocolException("the XML of the answer is nested too deeply");
        }
        text.clear();
        handler.opened(element, open.size());
        if (empty) {
            close();
        }
    }

    private void closeTag() throws IOException {
        int b = readName(must());
        while (b != '>') {
            b = must();
        }
        if (open.isEmpty() || !localName().equals(open.peek())) {
            throw new ProtocolException("the elements of the XML of the answer do not match");
        }
        close();
    }

    private void close() {
        handler.closed(open.element(), open.size(), text);
        open.pop();
        text.clear();
    }

    /** Reads up to the first byte that is not part of the name, and returns that. */
    private int readName(int first) throws IOException {
        name.setLength(0);
        int b = first;
        while (b != '>' && b != '/' && !isSpace(b)) {
            name.append((char) b);
            if (name.length() > LONGEST_NAME) {
                throw new ProtocolException("a name in the XML of the answer is too long");
            }
            b = must();
        }
        if (name.isEmpty()) {
            throw new ProtocolException("the answer is not XML");
        }
        return b;
    }

    /** Without its namespace prefix; the names that fill listings are not made anew each time. */
    private String localName() {
        int colon = name.indexOf(":");
        if (colon >= 0) {
            name.delete(0, colon + 1);
        }
        String known = KnownNames.find(name);
        return known != null ? known : name.toString();
    }

    private void entity() throws IOException {
        name.setLength(0);
        for (int b = must(); b != ';'; b = must()) {
            name.append((char) b);
            if (name.length() > 8) {
                throw new ProtocolException("the XML of the answer has an unknown entity");
            }
        }
        Integer character = character(name.toString());
        if (character == null || !Character.isValidCodePoint(character)) {
            throw new ProtocolException("the XML of the answer has an unknown entity");
        }
        text.append(Character.toString(character).getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable Integer character(String entity) {
        try {
            return switch (entity) {
                case "amp" -> (int) '&';
                case "lt" -> (int) '<';
                case "gt" -> (int) '>';
                case "quot" -> (int) '"';
                case "apos" -> (int) '\'';
                default -> {
                    if (entity.startsWith("#x")) {
                        yield Integer.parseInt(entity.substring(2), 16);
                    }
                    yield entity.startsWith("#") ? Integer.parseInt(entity.substring(1)) : null;
                }
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static boolean isSpace(int b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private static boolean isByteOrderMark(int b) {
        return b == 0xEF || b == 0xBB || b == 0xBF;
    }

    private int must() throws IOException {
        int b = next();
        if (b < 0) {
            throw new CutException("the XML of the answer ends in the middle");
        }
        return b;
    }

    private int next() throws IOException {
        if (at == end) {
            end = source.read(buffer);
            at = 0;
            if (end < 0) {
                end = 0;
                return -1;
            }
            length += end;
            if (length > LONGEST_DOCUMENT) {
                throw new ProtocolException("the XML of the answer has more than " + (LONGEST_DOCUMENT >> 20)
                        + " MiB, far more than was asked for");
            }
        }
        return buffer[at++] & 0xff;
    }
}
