package s3csi.s3.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;

/**
 * On the first connection it flips a bit in the fourth large record from the server, and sends it together with the two good ones
 * before it, so that one read of the client meets them all.
 */
final class SpoilingRelay extends RecordRelay {
    private static final int LARGE = 10_000;
    private static final int FIRST_HELD = 2;
    private static final int SPOILT = 4;

    SpoilingRelay(URI server) throws IOException {
        super(server);
    }

    @Override
    void pass(int connection, DataInputStream records, OutputStream out) throws IOException {
        ByteArrayOutputStream held = new ByteArrayOutputStream();
        int large = 0;
        while (true) {
            byte[] record = next(records);
            large += record.length > LARGE ? 1 : 0;
            if (connection == 1 && large == SPOILT) {
                record[record.length - 1] ^= 1;
            }
            held.write(record);
            if (connection > 1 || large < FIRST_HELD || large >= SPOILT) {
                out.write(held.toByteArray());
                held.reset();
            }
        }
    }
}
