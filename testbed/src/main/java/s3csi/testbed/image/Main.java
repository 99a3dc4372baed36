package s3csi.testbed.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import s3csi.s3.testing.process.Scratch;

/**
 * Makes an image of a directory: {@code Main NAME DIRECTORY ARCHIVE TIME [--layer PATTERN | --env NAME=VALUE | --entrypoint WORD | --user USER]...}.
 * Without {@code --layer} all is one layer.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Path archive = Path.of(arguments[2]);
        Instant time = Instant.parse(arguments[3]);
        List<String> patterns = new ArrayList<>();
        List<String> environment = new ArrayList<>();
        List<String> entrypoint = new ArrayList<>();
        String user = "";
        for (int option = 4; option < arguments.length; option += 2) {
            String value = arguments[option + 1];
            switch (arguments[option]) {
                case "--layer" -> patterns.add(value);
                case "--env" -> environment.add(value);
                case "--entrypoint" -> entrypoint.add(value);
                case "--user" -> user = value;
                default -> throw new IllegalArgumentException("unknown option " + arguments[option]);
            }
        }
        if (patterns.isEmpty()) {
            patterns.add("**");
        }
        List<ImageLayer> layers = layers(Path.of(arguments[1]), patterns, time);
        ImageArchive.write(
                archive, ImageName.of(arguments[0]), new ImageSettings(environment, entrypoint, user, time), layers);
        System.out.printf("%s: %.1f MB%n", archive, Files.size(archive) / 1e6);
    }

    private static List<ImageLayer> layers(Path root, List<String> patterns, Instant time) throws IOException {
        Path directory = Scratch.directory("image");
        List<ImageLayer> layers = new ArrayList<>();
        for (LayerFiles files : LayerFiles.of(root, patterns)) {
            ImageLayer layer = ImageLayer.write(files, directory.resolve("layer-" + layers.size()), time);
            System.out.printf(
                    "%8.1f MB  %s  %s%n", Files.size(layer.file()) / 1e6, layer.digest(), patterns.get(layers.size()));
            layers.add(layer);
        }
        return layers;
    }
}
