package s3csi.s3.xml;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A small document whose names do not repeat, as S3 uses for errors and for the results of writes. */
public final class Fields implements XmlHandler {
    private final Map<String, String> texts = new HashMap<>();
    private String root = "";

    private Fields() {}

    /** The fields of the document; of an empty one when there is none. */
    public static Fields read(XmlSource source) throws IOException {
        Fields fields = new Fields();
        XmlReader.read(source, fields);
        return fields;
    }

    /** The name of the root; empty when there is no document. */
    public String root() {
        return root;
    }

    public @Nullable String find(String name) {
        return texts.get(name);
    }

    public String textOrEmpty(String name) {
        return texts.getOrDefault(name, "");
    }

    @Override
    public void opened(String name, int depth) {
        if (depth == 1) {
            root = name;
        }
    }

    @Override
    public void closed(String name, int depth, XmlText text) {
        // STS nests its credentials two levels deeper; names do not repeat there.
        if (depth > 1) {
            texts.putIfAbsent(name, text.toString());
        }
    }
}
