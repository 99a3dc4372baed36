package s3csi.s3.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;

/** Once told to, it keeps what the server sends on the first connection until the server closes it, and passes it on at once. */
final class HoldingRelay extends RecordRelay {
    private volatile boolean holds;

    HoldingRelay(URI server) throws IOException {
        super(server);
    }

    /** From the next record on. */
    void hold() {
        holds = true;
    }

    @Override
    void pass(int connection, DataInputStream records, OutputStream out) throws IOException {
        ByteArrayOutputStream held = new ByteArrayOutputStream();
        while (true) {
            try {
                held.write(next(records));
            } catch (EOFException e) {
                out.write(held.toByteArray());
                throw e;
            }
            if (!holds || connection > 1) {
                out.write(held.toByteArray());
                held.reset();
            }
        }
    }
}
