package s3csi.driver.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import s3csi.csi.v1.OptionsProto;
import s3csi.volume.VolumeFailure;

/**
 * How large a request may be. The CSI specification gives a string 128 bytes and a map, or the list of mount options, 4 KiB; paths may
 * have what the system allows.
 *
 * <p>The bytes are looked at before anything is made of them: a request of a mebibyte may have a hundred thousand entries, which as objects
 * are a multiple of the driver's memory.
 */
final class RequestSizes {
    private static final int KIB = 1 << 10;
    private static final int STRING = 128;
    private static final int COLLECTION = 4 * KIB;

    /** The longest path of Linux. */
    private static final int PATH = 4 * KIB;

    /** Handles that administrators gave volumes of their own; Kubernetes and releases before took longer ones than CSI allows. */
    private static final int VOLUME_ID = KIB;

    /** Kubernetes hands over whole Secrets, also what else is in them; releases before took them. */
    private static final int SECRETS = 64 * KIB;

    /** Kubelet says in its own words why it does not take the driver, often with the words of others in them. */
    private static final int REASON = 16 * KIB;

    /** More than all fields of any request together; what fields of no meaning, or many of them, come to. */
    private static final int WHOLE = 32 * KIB;

    /** Entries of a map or list: as objects, each takes some hundred bytes more than its text. */
    private static final int MOST = 256;

    private RequestSizes() {}

    /** Refuses a request with a field that is too large, by its name. */
    static void check(Descriptor type, byte[] request) {
        try {
            int secrets = secretsIn(type, "", CodedInputStream.newInstance(request));
            if (request.length - secrets > WHOLE) {
                throw tooLarge("request", WHOLE);
            }
        } catch (IOException e) {
            throw VolumeFailure.invalid("request", "it is no message of CSI", "Use a client of CSI 1");
        }
    }

    private static VolumeFailure tooLarge(String field, int limit) {
        return VolumeFailure.invalid(
                field, "it has more than " + limit + " bytes", "Use at most " + limit + " bytes, as CSI asks for");
    }

    /** Checks every field, and returns how many bytes are secrets. */
    private static int secretsIn(Descriptor type, String path, CodedInputStream in) throws IOException {
        Map<FieldDescriptor, Tally> tallies = new HashMap<>();
        int secrets = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            if (field == null || WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                in.skipField(tag);
                continue;
            }
            String name = path + field.getName();
            int size = in.readRawVarint32();
            int outer = in.pushLimit(size);
            int text = 0;
            if (field.isMapField()) {
                text = textIn(in);
                secrets += isSecret(field) ? size : 0;
            } else if (field.getJavaType() == JavaType.MESSAGE) {
                secrets += secretsIn(field.getMessageType(), name + ".", in);
            } else {
                text = size;
                in.skipRawBytes(size);
            }
            in.popLimit(outer);
            tallies.merge(field, new Tally(1, text), Tally::plus).requireWithin(field, name);
        }
        return secrets;
    }

    /** What key and value of an entry have together. */
    private static int textIn(CodedInputStream entry) throws IOException {
        int text = 0;
        for (int tag = entry.readTag(); tag != 0; tag = entry.readTag()) {
            int before = entry.getTotalBytesRead();
            if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                int size = entry.readRawVarint32();
                text += size;
                entry.skipRawBytes(size);
            } else {
                entry.skipField(tag);
                text += entry.getTotalBytesRead() - before;
            }
        }
        return text;
    }

    /** What there is of a field. */
    private record Tally(int count, int bytes) {
        Tally plus(Tally other) {
            return new Tally(count + other.count, bytes + other.bytes);
        }

        void requireWithin(FieldDescriptor field, String name) {
            if (bytes > limitOf(field)) {
                throw tooLarge(name, limitOf(field));
            }
            if (count > MOST) {
                throw VolumeFailure.invalid(name, "it has more than " + MOST + " entries", "Use at most " + MOST);
            }
        }
    }

    private static int limitOf(FieldDescriptor field) {
        if (isSecret(field)) {
            return SECRETS;
        }
        if (field.isRepeated()) {
            return COLLECTION;
        }
        if (field.getName().endsWith("_path")) {
            return PATH;
        }
        return switch (field.getName()) {
            case "volume_id" -> VOLUME_ID;
            case "error" -> REASON;
            default -> STRING;
        };
    }

    private static boolean isSecret(FieldDescriptor field) {
        return field.getOptions().getExtension(OptionsProto.csiSecret);
    }
}
