package s3csi.s3.credentials;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys as one flat JSON object, the way credential processes and container services hand them out. Messages say where it is wrong and
 * never show it: it holds secrets.
 */
final class KeyDocument {
    private final String text;
    private int at;

    private KeyDocument(String text) {
        this.text = text;
    }

    /**
     * Reads one.
     *
     * @param tokenName what the session token is called
     * @param origin whom to blame in a message
     */
    static Credentials.Keys read(String text, String tokenName, String origin) throws CredentialsException {
        Map<String, String> members;
        try {
            members = new KeyDocument(text).members();
        } catch (IllegalArgumentException e) {
            throw new CredentialsException(origin + " gave no JSON object of keys: " + e.getMessage(), e);
        }
        String id = members.getOrDefault("AccessKeyId", "");
        String secret = members.getOrDefault("SecretAccessKey", "");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new CredentialsException(origin + " gave no " + (id.isEmpty() ? "AccessKeyId" : "SecretAccessKey"));
        }
        String token = members.getOrDefault(tokenName, "");
        return new Credentials.Keys(
                id, secret, token.isEmpty() ? null : token, expiry(members.getOrDefault("Expiration", ""), origin));
    }

    private static @Nullable Instant expiry(String text, String origin) throws CredentialsException {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new CredentialsException(origin + " gave an Expiration that is no time of ISO 8601", e);
        }
    }

    private Map<String, String> members() {
        Map<String, String> members = new HashMap<>();
        expect('{');
        if (peek() != '}') {
            do {
                String name = string();
                expect(':');
                members.put(name, peek() == '"' ? string() : word());
            } while (takes(','));
        }
        expect('}');
        if (peek() != 0) {
            throw wrong("there is more behind the object");
        }
        return members;
    }

    /** A number, true or false as it stands; null is as good as nothing. */
    private String word() {
        int start = at;
        while (at < text.length() && "+-.0123456789abcdefghijklmnopqrstuvwxyzE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at == start) {
            throw wrong("neither a text nor a number");
        }
        String word = text.substring(start, at);
        return word.equals("null") ? "" : word;
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            string.append(c == '\\' ? escaped() : c);
        }
        if (at == text.length()) {
            throw wrong("a text has no end");
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = at < text.length() ? Character.digit(text.charAt(at++), 16) : -1;
                    if (digit < 0) {
                        throw wrong("an unknown escape");
                    }
                    code = code << 4 | digit;
                }
                yield (char) code;
            }
            default -> throw wrong("an unknown escape");
        };
    }

    private boolean takes(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char wanted) {
        if (!takes(wanted)) {
            throw wrong("'" + wanted + "' is missing");
        }
    }

    /** The next character that is no space; 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(why + " at position " + at);
    }
}
