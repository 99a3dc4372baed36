package s3csi.csi.v1;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/** Everything about a contract that travels on the wire, one line per fact. */
final class ContractFacts {
    private final SortedSet<String> facts = new TreeSet<>();

    static SortedSet<String> of(FileDescriptor... files) {
        var contract = new ContractFacts();
        for (FileDescriptor file : files) {
            contract.read(file);
        }
        return contract.facts;
    }

    private void read(FileDescriptor file) {
        file.getServices().forEach(service -> service.getMethods().forEach(this::read));
        file.getMessageTypes().forEach(this::read);
        for (FieldDescriptor extension : file.getExtensions()) {
            facts.add("extension %s of %s = %d : %s"
                    .formatted(
                            extension.getFullName(),
                            extension.getContainingType().getFullName(),
                            extension.getNumber(),
                            typeOf(extension)));
        }
    }

    private void read(MethodDescriptor method) {
        facts.add("rpc %s/%s : %s -> %s"
                .formatted(
                        method.getService().getFullName(),
                        method.getName(),
                        (method.isClientStreaming() ? "stream " : "")
                                + method.getInputType().getFullName(),
                        (method.isServerStreaming() ? "stream " : "")
                                + method.getOutputType().getFullName()));
    }

    private void read(Descriptor message) {
        if (message.getOptions().getMapEntry()) {
            return;
        }
        facts.add("message " + message.getFullName());
        message.getFields().forEach(this::read);
        message.getNestedTypes().forEach(this::read);
        message.getEnumTypes().forEach(type -> type.getValues().forEach(this::read));
    }

    private void read(FieldDescriptor field) {
        // Renamed in our files only because Java's generated code could not be compiled otherwise.
        String name = field.getFullName().replace("modifiable_parameters", "mutable_parameters");
        OneofDescriptor oneof = field.getContainingOneof();
        facts.add("field %s = %d : %s%s%s"
                .formatted(
                        name,
                        field.getNumber(),
                        shapeOf(field),
                        oneof == null ? "" : " oneof " + oneof.getName(),
                        field.getOptions().getExtension(OptionsProto.csiSecret) ? " secret" : ""));
    }

    private void read(EnumValueDescriptor value) {
        facts.add("value %s.%s = %d".formatted(value.getType().getFullName(), value.getName(), value.getNumber()));
    }

    private static String shapeOf(FieldDescriptor field) {
        if (field.isMapField()) {
            Descriptor entry = field.getMessageType();
            return "map<%s, %s>".formatted(typeOf(entry.findFieldByNumber(1)), typeOf(entry.findFieldByNumber(2)));
        }
        return field.isRepeated() ? "repeated " + typeOf(field) : typeOf(field);
    }

    private static String typeOf(FieldDescriptor field) {
        if (field.getJavaType() == JavaType.MESSAGE) {
            return field.getMessageType().getFullName();
        }
        if (field.getJavaType() == JavaType.ENUM) {
            return field.getEnumType().getFullName();
        }
        return field.getType().name().toLowerCase(Locale.ROOT);
    }
}
