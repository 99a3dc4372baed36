package s3csi.mounter.command;

import java.util.Arrays;

/** The answers to {@code -h} and {@code --help}. */
final class HelpText {
    static final String USAGE = "mount-s3 [OPTIONS] <BUCKET_NAME> <DIRECTORY>";

    private static final String INTRODUCTION = """
            Mounts a bucket of an S3 store as a directory.

            Usage: %s
                   mount-s3 <BUCKET_NAME> <DIRECTORY> -o <fstab options>

            Arguments:
              <BUCKET_NAME>  name of the bucket, or s3://bucket/ or s3://bucket/prefix/
              <DIRECTORY>    an existing directory, or /dev/fd/N for a FUSE device that is already mounted
            """.formatted(USAGE);

    private static final int COLUMN = 34;

    private HelpText() {}

    static String summary() {
        StringBuilder text = new StringBuilder(INTRODUCTION);
        for (Section section : Section.values()) {
            text.append('\n').append(section.title).append(":\n");
            Arrays.stream(Option.values())
                    .filter(option -> option.section == section)
                    .forEach(option -> summary(text, option));
        }
        return text.toString();
    }

    private static void summary(StringBuilder text, Option option) {
        String names = names(option);
        text.append(names);
        if (names.length() < COLUMN) {
            text.repeat(' ', COLUMN - names.length());
        } else {
            text.append('\n').repeat(' ', COLUMN);
        }
        text.append(option.summary).append('\n');
    }

    static String details() {
        StringBuilder text = new StringBuilder(INTRODUCTION);
        for (Section section : Section.values()) {
            text.append('\n').append(section.title).append(":\n");
            Arrays.stream(Option.values())
                    .filter(option -> option.section == section)
                    .forEach(option -> details(text, option));
        }
        return text.toString();
    }

    private static void details(StringBuilder text, Option option) {
        text.append(names(option)).append("\n          ").append(option.summary).append('\n');
        if (!option.detail.isEmpty()) {
            text.append("          ").append(option.detail).append('\n');
        }
        text.append('\n');
    }

    private static String names(Option option) {
        return (option.hasLetter() ? "  -" + option.letter + ", " : "      ") + option.usage();
    }
}
