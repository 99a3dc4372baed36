package s3csi.testbed.contender;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** Who serves a mount. */
public enum Contender {
    OURS("ours"),
    /** Ours with the smallest memory it takes, which leaves 45 MiB for data: what a stream needs must fit into that. */
    OURS_SMALL("ours-64MiB"),
    /** Mountpoint for Amazon S3: its published crates behind a command of ours. */
    MOUNTPOINT("mountpoint"),
    S3FS("s3fs");

    private final String label;

    Contender(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public Path program() {
        return switch (this) {
            case OURS, OURS_SMALL -> Tools.program("mount-s3");
            case MOUNTPOINT -> Tools.built("mountpoint-peer");
            case S3FS -> Tools.installed("s3fs", "s3fs");
        };
    }

    /** The command that serves the bucket in the foreground; every side may delete and overwrite. */
    public List<String> command(Wanted wanted, Path directory) {
        List<String> command = new ArrayList<>(List.of(program().toString(), wanted.bucket(), directory.toString()));
        switch (this) {
            case OURS, OURS_SMALL -> {
                command.addAll(List.of("--foreground", "--force-path-style"));
                command.addAll(mountpointOptions(wanted));
                if (this == OURS_SMALL) {
                    command.addAll(List.of("--memory-target", "128"));
                }
            }
            case MOUNTPOINT -> command.addAll(mountpointOptions(wanted));
            case S3FS ->
                command.addAll(List.of(
                        "-f",
                        "-o",
                        "url=" + wanted.endpoint(),
                        "-o",
                        "use_path_request_style",
                        "-o",
                        "endpoint=" + wanted.region(),
                        // It spools files: into memory, as the store's data is, and not onto a disk.
                        "-o",
                        "tmpdir=" + wanted.spool()));
        }
        return command;
    }

    private static List<String> mountpointOptions(Wanted wanted) {
        List<String> options = new ArrayList<>(List.of(
                "--endpoint-url",
                wanted.endpoint().toString(),
                "--region",
                wanted.region(),
                "--allow-delete",
                "--allow-overwrite"));
        wanted.metadataTtl()
                .ifPresent(ttl -> options.addAll(List.of("--metadata-ttl", Long.toString(ttl.toSeconds()))));
        wanted.caBundle().ifPresent(file -> options.addAll(List.of("--ca-bundle", file.toString())));
        return options;
    }

    public Map<String, String> environment(Credentials.Keys keys) {
        return switch (this) {
            case OURS, OURS_SMALL, MOUNTPOINT ->
                Map.of(
                        "AWS_ACCESS_KEY_ID", keys.accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", keys.secretAccessKey(),
                        // Nobody may look for credentials or a region outside of this machine.
                        "AWS_EC2_METADATA_DISABLED", "true");
            case S3FS -> Map.of("AWSACCESSKEYID", keys.accessKeyId(), "AWSSECRETACCESSKEY", keys.secretAccessKey());
        };
    }

    /** What it says of itself. */
    public String version() {
        Path directory = Scratch.directory("version");
        try {
            Path log = directory.resolve("version");
            ChildProcess.run(List.of(program().toString(), "--version"), Map.of(), log, Duration.ofSeconds(30));
            return Texts.firstLine(log);
        } finally {
            Scratch.delete(directory);
        }
    }

    public static Contender named(String label) {
        for (Contender contender : values()) {
            if (contender.label.equals(label.toLowerCase(Locale.ROOT))) {
                return contender;
            }
        }
        throw new IllegalArgumentException(
                "no contender is named '%s'; there are ours, mountpoint and s3fs".formatted(label));
    }
}
