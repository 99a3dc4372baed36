package s3csi.testbed.differential;

import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** How programs open files. */
enum OpenKind {
    READ("read"),
    /** As the shell's {@code >} does. */
    CREATE("create"),
    CREATE_NEW("create-new"),
    WRITE("write"),
    TRUNCATE("truncate"),
    APPEND("append"),
    READ_WRITE("read-write"),
    READ_WRITE_CREATE("read-write-create");

    private final String label;

    OpenKind(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    Set<OpenOption> options() {
        return switch (this) {
            case READ -> Set.of(StandardOpenOption.READ);
            case CREATE ->
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            case CREATE_NEW -> Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            case WRITE -> Set.of(StandardOpenOption.WRITE);
            case TRUNCATE -> Set.of(StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            case APPEND -> Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            case READ_WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
            case READ_WRITE_CREATE ->
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        };
    }
}
