package s3csi.fuse.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A program that uses the mount from outside, as users do. */
record Shell(int exit, String output) {
    static Shell run(Path directory, String script) throws IOException, InterruptedException {
        Process process = start(directory, script);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Shell(process.waitFor(), output);
    }

    static Process start(Path directory, String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "cd \"$1\" && " + script, "sh", directory.toString())
                .redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    static boolean endsSoon(Process process) throws InterruptedException {
        return process.waitFor(Mounted.LONG.toSeconds(), TimeUnit.SECONDS);
    }
}
