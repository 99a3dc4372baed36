package s3csi.s3.http;

import java.net.ProtocolException;

/** What came is no answer: the server speaks something else, or bytes of an earlier answer came late. */
final class NoStatusLineException extends ProtocolException {
    NoStatusLineException() {
        super("the answer does not begin with a status line of HTTP/1");
    }
}
