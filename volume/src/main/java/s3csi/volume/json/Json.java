package s3csi.volume.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON, written compactly and read strictly by RFC 8259: into strings, lists, maps and, for everything whose value is of no interest here,
 * {@link Other}. What was read can be written again without a loss. A library would be larger than all that node and mounter do with it.
 */
public final class Json {
    /** Deeper than any sender nests; without a bound, a message of brackets could exhaust the stack. */
    private static final int DEEPEST = 32;

    /** A number, true, false or null. */
    public record Other(String text) {}

    static final Other NULL = new Other("null");

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    public static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw wrong("less depth");
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            default -> other();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        skipSpace();
        if (peek() == '}') {
            at++;
            return members;
        }
        while (true) {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            members.put(name, value(depth + 1));
            skipSpace();
            if (peek() == '}') {
                at++;
                return members;
            }
            expect(',');
        }
    }

    private List<Object> array(int depth) {
        List<Object> elements = new ArrayList<>();
        at++;
        skipSpace();
        if (peek() == ']') {
            at++;
            return elements;
        }
        while (true) {
            elements.add(value(depth + 1));
            skipSpace();
            if (peek() == ']') {
                at++;
                return elements;
            }
            expect(',');
        }
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < 0x20) {
                throw wrong("no control character in a string");
            }
            out.append(c == '\\' ? escape() : c);
        }
        at++;
        return out.toString();
    }

    private char escape() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("an escape");
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0) {
                throw wrong("a hexadecimal digit");
            }
            code = code << 4 | digit;
            at++;
        }
        return (char) code;
    }

    private Other other() {
        int from = at;
        while (at < text.length() && (Character.isLetterOrDigit(peek()) || "+-.".indexOf(peek()) >= 0)) {
            at++;
        }
        String word = text.substring(from, at);
        if (!word.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw wrong("a value");
        }
        return new Other(word);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong("'" + c + "'");
        }
        at++;
    }

    /** Says where, never what: the text may hold what must not be shown. */
    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("not JSON at character " + at + ": expected " + expected);
    }

    /** The text of maps with text as keys, lists, texts and {@link Other}. */
    public static String text(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        switch (value) {
            case String string -> write(out, string);
            case Map<?, ?> members -> write(out, members);
            case List<?> elements -> write(out, elements);
            case Other other -> out.append(other.text);
            default -> throw new IllegalArgumentException("no JSON can be made of a " + value.getClass());
        }
    }

    private static void write(StringBuilder out, Map<?, ?> members) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> member : members.entrySet()) {
            out.append(separator);
            write(out, String.valueOf(member.getKey()));
            out.append(':');
            write(out, (Object) member.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void write(StringBuilder out, List<?> elements) {
        out.append('[');
        String separator = "";
        for (Object element : elements) {
            out.append(separator);
            write(out, element);
            separator = ",";
        }
        out.append(']');
    }

    private static void write(StringBuilder out, String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
