package s3csi.testbed.semantics;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import s3csi.testbed.s3.TcpProxy;

/** The command {@code store} of a script: makes the store behind a proxy fall silent, and answer again. */
final class StoreSwitch implements AutoCloseable {
    private final TcpProxy proxy;
    private final ServerSocket socket;

    private StoreSwitch(TcpProxy proxy, ServerSocket socket) {
        this.proxy = proxy;
        this.socket = socket;
    }

    static StoreSwitch of(TcpProxy proxy) {
        try {
            var store = new StoreSwitch(proxy, new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().name("store-switch").start(store::serve);
            return store;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot listen for the command store", failure);
        }
    }

    /** Says a word, and waits until it took effect. */
    String shellFunction() {
        return """
                store() {
                    local socket answer
                    exec {socket}<>/dev/tcp/127.0.0.1/%d || return
                    echo "$1" >&$socket
                    read -r answer <&$socket
                    exec {socket}>&-
                    [ "$answer" = "$1" ]
                }
                """.formatted(socket.getLocalPort());
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket caller = socket.accept()) {
                var words = new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8));
                String word = String.valueOf(words.readLine());
                caller.getOutputStream().write((turn(word) + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException failure) {
                // The test is over, or the caller sees that its answer is missing.
            }
        }
    }

    private String turn(String word) {
        switch (word) {
            case "silent" -> proxy.blackhole();
            case "back" -> proxy.pass();
            default -> {
                return "the store can be silent or back";
            }
        }
        return word;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot close the socket of the command store", failure);
        }
    }
}
