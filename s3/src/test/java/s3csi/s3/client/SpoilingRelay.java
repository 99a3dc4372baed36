package s3csi.s3.client;

import java.io.ByteArrayOutputStream;
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

/**
 * Stands between a client and a TLS server. On the first connection it flips a bit in the fourth large record from the server, and
 * sends it together with the two good ones before it, so that one read of the client meets them all.
 */
final class SpoilingRelay implements AutoCloseable {
    private static final int HEADER = 5;
    private static final int LARGE = 10_000;
    private static final int FIRST_HELD = 2;
    private static final int SPOILT = 4;

    private final URI server;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    SpoilingRelay(URI server) throws IOException {
        this.server = server;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::acceptAll);
    }

    URI address() {
        return URI.create("https://127.0.0.1:" + listener.getLocalPort());
    }

    private void acceptAll() {
        boolean spoils = true;
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket upstream = new Socket(server.getHost(), server.getPort());
                open.add(client);
                open.add(upstream);
                int spoilt = spoils ? SPOILT : Integer.MAX_VALUE;
                spoils = false;
                Thread.ofVirtual()
                        .start(() -> run(() -> client.getInputStream().transferTo(upstream.getOutputStream())));
                Thread.ofVirtual().start(() -> run(() -> relay(upstream, client, spoilt)));
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

    private static void relay(Socket from, Socket to, int spoilt) throws IOException {
        DataInputStream records = new DataInputStream(from.getInputStream());
        OutputStream out = to.getOutputStream();
        ByteArrayOutputStream held = new ByteArrayOutputStream();
        int large = 0;
        while (true) {
            byte[] record = next(records);
            large += record.length > LARGE ? 1 : 0;
            if (large == spoilt) {
                record[record.length - 1] ^= 1;
            }
            held.write(record);
            if (spoilt != SPOILT || large < FIRST_HELD || large >= SPOILT) {
                out.write(held.toByteArray());
                held.reset();
            }
        }
    }

    private static byte[] next(DataInputStream records) throws IOException {
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
