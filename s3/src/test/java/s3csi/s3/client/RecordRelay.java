package s3csi.s3.client;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between a client and a TLS server, and passes records on as it likes. */
abstract class RecordRelay implements AutoCloseable {
    private static final int HEADER = 5;

    private final URI server;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    RecordRelay(URI server) throws IOException {
        this.server = server;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::acceptAll);
    }

    /**
     * Passes on what the server sends, until it has sent all.
     *
     * @param connection its number, from 1
     */
    abstract void pass(int connection, DataInputStream records, OutputStream out) throws IOException;

    URI address() {
        return URI.create("https://127.0.0.1:" + listener.getLocalPort());
    }

    private void acceptAll() {
        int accepted = 0;
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket upstream = new Socket(server.getHost(), server.getPort());
                open.add(client);
                open.add(upstream);
                int connection = ++accepted;
                Thread.ofVirtual()
                        .start(() -> run(() -> client.getInputStream().transferTo(upstream.getOutputStream())));
                Thread.ofVirtual()
                        .start(() -> run(() -> {
                            try (client) {
                                pass(
                                        connection,
                                        new DataInputStream(upstream.getInputStream()),
                                        client.getOutputStream());
                            }
                        }));
            } catch (IOException _) {
                // Closed: the condition of the loop says so.
            }
        }
    }

    private interface Transfer {
        void run() throws IOException;
    }

    private static void run(Transfer transfer) {
        try {
            transfer.run();
        } catch (IOException _) {
            // One of the two has left; the other one notices.
        }
    }

    static byte[] next(DataInputStream records) throws IOException {
        byte[] header = records.readNBytes(HEADER);
        if (header.length < HEADER) {
            throw new EOFException();
        }
        byte[] record = new byte[HEADER + (ByteBuffer.wrap(header).getShort(3) & 0xffff)];
        System.arraycopy(header, 0, record, 0, HEADER);
        records.readFully(record, HEADER, record.length - HEADER);
        return record;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
