package s3csi.volume.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of somebody else's making, of which parts are looked at. A part that is missing, or is of another kind than asked for, is
 * empty: what must be there is checked by who needs it.
 */
public record JsonObject(Map<String, Object> members) {
    private static final JsonObject EMPTY = new JsonObject(Map.of());

    public static JsonObject parse(String text) {
        return of(Json.read(text));
    }

    private static JsonObject of(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return EMPTY;
        }
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put((String) name, member));
        return new JsonObject(members);
    }

    private @Nullable Object at(String... path) {
        Object value = members;
        for (String name : path) {
            if (!(value instanceof Map<?, ?> map)) {
                return null;
            }
            value = map.get(name);
        }
        return value;
    }

    /** Whether there is anything at all; null is nothing. */
    public boolean has(String... path) {
        Object value = at(path);
        return value != null && !value.equals(Json.NULL);
    }

    /** The text there; also that of a number, or of true and false. */
    public String text(String... path) {
        return switch (at(path)) {
            case String text -> text;
            case Json.Other other when !other.equals(Json.NULL) -> other.text();
            case null, default -> "";
        };
    }

    public JsonObject object(String... path) {
        return of(at(path));
    }

    /** The objects of a list. */
    public List<JsonObject> objects(String... path) {
        List<JsonObject> objects = new ArrayList<>();
        if (at(path) instanceof List<?> elements) {
            elements.forEach(element -> objects.add(of(element)));
        }
        return objects;
    }

    /** The members of an object that are texts, as labels are. */
    public Map<String, String> texts(String... path) {
        Map<String, String> texts = new LinkedHashMap<>();
        object(path).members.forEach((name, value) -> {
            if (value instanceof String text) {
                texts.put(name, text);
            }
        });
        return texts;
    }

    @Override
    public String toString() {
        return Json.text(members);
    }
}
