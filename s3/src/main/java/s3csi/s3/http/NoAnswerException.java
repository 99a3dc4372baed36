package s3csi.s3.http;

import java.io.EOFException;

/** The server closed the connection before the first byte of an answer. */
final class NoAnswerException extends EOFException {
    NoAnswerException(String message) {
        super(message);
    }
}
