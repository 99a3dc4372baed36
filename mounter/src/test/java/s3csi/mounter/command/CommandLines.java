package s3csi.mounter.command;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;

/** Command lines as a user types them. */
final class CommandLines {
    private CommandLines() {}

    static MountConfig config(List<String> arguments, Map<String, String> environment) throws Exception {
        return switch (MountCommand.parse(arguments, environment, "1.2.3")) {
            case MountCommand.Mount(MountConfig config) -> config;
            case MountCommand.Print(String text) -> throw new AssertionError("printed instead: " + text);
        };
    }

    /** A mount of {@code bucket} at {@code /mnt} with these options. */
    static MountConfig with(String... options) throws Exception {
        return config(line(options), Map.of());
    }

    static List<String> line(String... options) {
        List<String> arguments = new ArrayList<>(List.of("bucket", "/mnt"));
        arguments.addAll(List.of(options));
        return arguments;
    }

    static String usageError(String... options) {
        return usageErrorOf(line(options));
    }

    static String usageErrorOf(List<String> arguments) {
        return assertThatExceptionOfType(UsageError.class)
                .isThrownBy(() -> config(arguments, Map.of()))
                .actual()
                .report();
    }

    static String startFailure(String... options) {
        return assertThatExceptionOfType(StartFailure.class)
                .isThrownBy(() -> with(options))
                .actual()
                .report();
    }
}
