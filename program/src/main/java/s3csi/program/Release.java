package s3csi.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which build this is. The version has one source, the root pom; it reaches the code through a filtered resource. */
public record Release(String version, String commit, String date) {
    private static final Release CURRENT = read();

    public static Release current() {
        return CURRENT;
    }

    /** The answer to {@code --version}: the keys that scripts around earlier releases parse, and the Java ones instead of Go's. */
    public String toJson() {
        StringBuilder json = new StringBuilder("{");
        member(json, "driverVersion", version);
        member(json, "gitCommit", commit);
        member(json, "buildDate", date);
        member(json, "javaVersion", Runtime.version().toString());
        member(json, "vm", System.getProperty("java.vm.name"));
        member(json, "platform", platform());
        return json.append("\n}").toString();
    }

    private static void member(StringBuilder json, String key, String value) {
        json.append(json.length() == 1 ? "\n  " : ",\n  ");
        JsonText.string(json, key);
        json.append(": ");
        JsonText.string(json, value);
    }

    private static String platform() {
        String machine = System.getProperty("os.arch");
        return "linux/" + (machine.equals("aarch64") ? "arm64" : machine);
    }

    private static Release read() {
        Properties facts = new Properties();
        try (InputStream in = Release.class.getResourceAsStream("release.properties")) {
            if (in == null) {
                throw new IllegalStateException("release.properties is missing from the jar; build it again");
            }
            facts.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Release(facts.getProperty("version"), facts.getProperty("commit"), facts.getProperty("date"));
    }
}
