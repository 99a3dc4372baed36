package s3csi.mounter.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that reads a datagram socket and prints what comes. */
record SyslogDaemon(Path socket, Process process, BufferedReader lines) implements AutoCloseable {
    private static final String PROGRAM = """
            import os, socket, sys
            if os.path.exists(sys.argv[1]): os.unlink(sys.argv[1])
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind(sys.argv[1])
            print("ready", flush=True)
            while True: print(s.recv(65536).decode(), flush=True)
            """;

    static SyslogDaemon start(Path socket) throws Exception {
        Process process = new ProcessBuilder("python3", "-c", PROGRAM, socket.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        SyslogDaemon daemon = new SyslogDaemon(
                socket,
                process,
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        if (!daemon.nextLine().equals("ready")) {
            throw new IOException("the syslog daemon of the test did not start");
        }
        return daemon;
    }

    String nextLine() throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return String.valueOf(lines.readLine());
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
