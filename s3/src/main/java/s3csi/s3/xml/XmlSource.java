package s3csi.s3.xml;

import java.io.IOException;

/** Bytes of a document as they arrive. */
public interface XmlSource {
    /** Puts bytes at the start of the target; how many, or -1 at the end. */
    int read(byte[] target) throws IOException;
}
