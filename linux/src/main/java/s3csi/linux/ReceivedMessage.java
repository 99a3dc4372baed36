package s3csi.linux;

import java.util.List;

/** What came over a socket: bytes, and descriptors that are now the receiver's to close. */
public final class ReceivedMessage implements AutoCloseable {
    private final byte[] bytes;
    private final List<Descriptor> descriptors;

    ReceivedMessage(byte[] bytes, List<Descriptor> descriptors) {
        this.bytes = bytes;
        this.descriptors = List.copyOf(descriptors);
    }

    /** The bytes; empty at the end of the other side's output. */
    public byte[] bytes() {
        return bytes.clone();
    }

    public List<Descriptor> descriptors() {
        return descriptors;
    }

    /** Closes the descriptors. */
    @Override
    public void close() {
        descriptors.forEach(Descriptor::close);
    }
}
