package s3csi.driver.grpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import s3csi.volume.Printable;
import s3csi.volume.StorageClassParameters;
import s3csi.volume.VolumeContext;

/**
 * A request as text for the log: only what is listed here is shown, so a field that CSI adds tomorrow, or a value somebody hides
 * a key in, never reaches a log.
 */
public final class RequestText {
    private static final Set<String> SHOWN_FIELDS = Set.of(
            "CreateVolumeRequest.name",
            "CreateVolumeRequest.capacity_range",
            "CreateVolumeRequest.volume_capabilities",
            "CreateVolumeRequest.parameters",
            "DeleteVolumeRequest.volume_id",
            "ValidateVolumeCapabilitiesRequest.volume_id",
            "ValidateVolumeCapabilitiesRequest.volume_context",
            "ValidateVolumeCapabilitiesRequest.volume_capabilities",
            "ValidateVolumeCapabilitiesRequest.parameters",
            "NodePublishVolumeRequest.volume_id",
            "NodePublishVolumeRequest.target_path",
            "NodePublishVolumeRequest.volume_capability",
            "NodePublishVolumeRequest.readonly",
            "NodePublishVolumeRequest.volume_context",
            "NodeUnpublishVolumeRequest.volume_id",
            "NodeUnpublishVolumeRequest.target_path",
            "NodeGetVolumeStatsRequest.volume_id",
            "NodeGetVolumeStatsRequest.volume_path",
            "RegistrationStatus.plugin_registered",
            "RegistrationStatus.error",
            "CapacityRange.required_bytes",
            "CapacityRange.limit_bytes",
            "VolumeCapability.block",
            "VolumeCapability.mount",
            "VolumeCapability.access_mode",
            "AccessMode.mode");

    private static final Set<String> SHOWN_KEYS = Set.of(
            StorageClassParameters.BUCKET_NAME_PREFIX,
            VolumeContext.REGION,
            VolumeContext.BUCKET_NAME,
            VolumeContext.AUTHENTICATION_SOURCE,
            VolumeContext.DYNAMIC_PROVISIONING);

    private static final int LONGEST = 2048;

    private RequestText() {}

    public static String of(Message request) {
        StringBuilder text = new StringBuilder();
        message(text, request);
        if (text.length() > LONGEST) {
            text.setLength(LONGEST);
            text.append("…");
        }
        return text.toString();
    }

    private static void message(StringBuilder text, MessageOrBuilder message) {
        text.append('{');
        String separator = "";
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            if (text.length() > LONGEST) {
                return;
            }
            text.append(separator).append(field.getKey().getName()).append(": ");
            field(text, field.getKey(), field.getValue());
            separator = ", ";
        }
        text.append('}');
    }

    private static void field(StringBuilder text, FieldDescriptor field, Object value) {
        if (!SHOWN_FIELDS.contains(field.getContainingType().getName() + "." + field.getName())) {
            text.append("<hidden>");
        } else if (value instanceof List<?> values) {
            text.append('[');
            String separator = "";
            for (Object one : values) {
                if (text.length() > LONGEST) {
                    return;
                }
                text.append(separator);
                value(text, one);
                separator = ", ";
            }
            text.append(']');
        } else {
            value(text, value);
        }
    }

    private static void value(StringBuilder text, Object value) {
        switch (value) {
            case MapEntry<?, ?> entry -> {
                String key = String.valueOf(entry.getKey());
                boolean shown = SHOWN_KEYS.contains(key);
                text.append(Printable.quoted(key)).append('=');
                text.append(shown ? Printable.quoted(String.valueOf(entry.getValue())) : "<hidden>");
            }
            case Message inner -> message(text, inner);
            case String string -> text.append(Printable.quoted(string));
            default -> text.append(value);
        }
    }
}
