package s3csi.testbed.provisioning;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place in a request where text can stand, found by walking the contract, so that a field which CSI adds is tried too.
 *
 * @param steps the fields from the request down to the one with the text
 * @param key for maps: the key under which the text is put, or nothing when the text is the key itself
 */
record StringField(List<FieldDescriptor> steps, Optional<String> key) {
    /** Keys that the driver gives a meaning, by the name of the map; any other key is tried by one of no meaning. */
    private static final Map<String, List<String>> KNOWN_KEYS = Map.of(
            "parameters", List.of("bucketNamePrefix", "region"),
            "volume_context", List.of("bucketName", "region", "authenticationSource"),
            "secrets", List.of("access_key_id", "secret_access_key", "session_token", "region"));

    static final String NO_MEANING = "ofNoMeaning";

    static List<StringField> of(Descriptor request) {
        List<StringField> found = new ArrayList<>();
        walk(request, List.of(), found);
        return found;
    }

    private static void walk(Descriptor message, List<FieldDescriptor> above, List<StringField> found) {
        for (FieldDescriptor field : message.getFields()) {
            List<FieldDescriptor> steps = new ArrayList<>(above);
            steps.add(field);
            if (field.isMapField()) {
                found.add(new StringField(steps, Optional.empty()));
                found.add(new StringField(steps, Optional.of(NO_MEANING)));
                KNOWN_KEYS
                        .getOrDefault(field.getName(), List.of())
                        .forEach(key -> found.add(new StringField(steps, Optional.of(key))));
            } else if (field.getJavaType() == JavaType.STRING) {
                found.add(new StringField(steps, Optional.empty()));
            } else if (field.getJavaType() == JavaType.MESSAGE) {
                walk(field.getMessageType(), steps, found);
            }
        }
    }

    /** The request with the text put there; the rest stays as it is. */
    Message put(Message request, String text) {
        return put(request.toBuilder(), 0, text);
    }

    private Message put(Message.Builder message, int depth, String text) {
        FieldDescriptor step = steps.get(depth);
        if (step.isMapField()) {
            MapEntry.Builder<?, ?> entry = (MapEntry.Builder<?, ?>) message.newBuilderForField(step);
            Descriptor form = entry.getDescriptorForType();
            entry.setField(form.findFieldByName("key"), key.orElse(text));
            entry.setField(form.findFieldByName("value"), key.isPresent() ? text : "value");
            message.addRepeatedField(step, entry.build());
        } else if (depth == steps.size() - 1) {
            set(message, step, text);
        } else {
            boolean there = step.isRepeated() && message.getRepeatedFieldCount(step) > 0;
            Message inner = step.isRepeated()
                    ? there
                            ? (Message) message.getRepeatedField(step, 0)
                            : message.newBuilderForField(step).build()
                    : (Message) message.getField(step);
            Message filled = put(inner.toBuilder(), depth + 1, text);
            set(message, step, filled);
        }
        return message.build();
    }

    private static void set(Message.Builder message, FieldDescriptor field, Object value) {
        if (!field.isRepeated()) {
            message.setField(field, value);
        } else if (message.getRepeatedFieldCount(field) > 0) {
            message.setRepeatedField(field, 0, value);
        } else {
            message.addRepeatedField(field, value);
        }
    }

    @Override
    public String toString() {
        FieldDescriptor last = steps.getLast();
        String path =
                String.join(".", steps.stream().map(FieldDescriptor::getName).toList());
        return last.isMapField() ? path + key.map(k -> "[" + k + "]").orElse("<key>") : path;
    }
}
