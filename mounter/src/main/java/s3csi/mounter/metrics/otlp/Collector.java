package s3csi.mounter.metrics.otlp;

import java.io.IOException;

/** Who takes metrics. */
public interface Collector {
    /** Gives it a message; returns when it has it. */
    void take(byte[] request) throws IOException;
}
