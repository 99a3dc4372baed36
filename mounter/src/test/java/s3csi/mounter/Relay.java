package s3csi.mounter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to a server on this machine, and remembers who made them. */
final class Relay implements AutoCloseable {
    private final ServerSocket listener;
    private final int server;
    private final List<String> callers = new CopyOnWriteArrayList<>();

    private Relay(ServerSocket listener, int server) {
        this.listener = listener;
        this.server = server;
    }

    static Relay start(InetAddress address, int server) throws IOException {
        Relay relay = new Relay(new ServerSocket(0, 50, address), server);
        Thread.ofVirtual().start(relay::accept);
        return relay;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The address of each connection's other side. */
    List<String> callers() {
        return callers;
    }

    void forget() {
        callers.clear();
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = listener.accept();
                callers.add(caller.getInetAddress().getHostAddress());
                Socket onward = new Socket(InetAddress.getLoopbackAddress(), server);
                Thread.ofVirtual().start(() -> copy(caller, onward));
                Thread.ofVirtual().start(() -> copy(onward, caller));
            }
        } catch (IOException _) {
            // Closed: the test is over.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // One of the two is gone, and takes the other with it.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
