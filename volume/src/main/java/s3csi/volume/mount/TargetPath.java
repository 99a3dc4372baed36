package s3csi.volume.mount;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** Where a workload wants its volume: an absolute path without detours. */
public record TargetPath(String text) {
    /** The kernel's limit for a path, with the closing zero. */
    private static final int LONGEST = 4095;

    private static final int LONGEST_NAME = 255;
    private static final String FIELD = "target_path";
    private static final Pattern OF_KUBELET =
            Pattern.compile(".*/pods/([^/]+)/volumes/kubernetes\\.io~csi/([^/]+)/mount");

    public static TargetPath parse(String text) {
        if (text.isEmpty()) {
            throw VolumeFailure.invalid(FIELD, "target path is required", "Say where the volume shall be");
        }
        if (!Printable.isPrintable(text)) {
            throw invalid(text, "it holds control characters");
        }
        if (!text.startsWith("/")) {
            throw invalid(text, "it is not absolute");
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw invalid(text, "it has more than " + LONGEST + " bytes");
        }
        return new TargetPath("/" + String.join("/", names(text)));
    }

    private static List<String> names(String text) {
        List<String> names = new ArrayList<>();
        for (String name : text.split("/", -1)) {
            if (name.equals("..") || name.equals(".")) {
                throw invalid(text, "it takes detours by \"" + name + "\"");
            }
            if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
                throw invalid(text, "a name in it has more than " + LONGEST_NAME + " bytes");
            }
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    /** Whether it lies below the directory, not at it. */
    public boolean isBelow(String directory) {
        return text.startsWith(directory.endsWith("/") ? directory : directory + "/")
                && text.length() > directory.length();
    }

    public TargetPath requireBelow(String directory) {
        if (!isBelow(directory)) {
            throw invalid(text, "it is not below " + directory);
        }
        return this;
    }

    /** Whose target it is, which kubelet's form of a path says; empty for a path that kubelet did not make. */
    public Optional<Workload> workload() {
        Matcher matcher = OF_KUBELET.matcher(text);
        return matcher.matches() ? Optional.of(new Workload(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    private static VolumeFailure invalid(String text, String problem) {
        return VolumeFailure.invalid(
                FIELD,
                Printable.quoted(text) + ": " + problem,
                "Use a plain absolute path below the driver's directory");
    }

    @Override
    public String toString() {
        return text;
    }
}
