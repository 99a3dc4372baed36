package s3csi.s3.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreFailure;
import s3csi.s3.client.AttemptFailure.Remedy;
import s3csi.s3.http.TrustException;

/** From what the network did to what it means. */
final class TransportErrors {
    private TransportErrors() {}

    static AttemptFailure classify(IOException e, Router.Route route) {
        String server = route.endpoint().origin().toString();
        if (Thread.currentThread().isInterrupted() || route.client().isClosed()) {
            return failed(new StoreFailure.Cancelled(), Remedy.NONE, "it was cancelled", e);
        }
        CertificateException untrusted = causeOf(e);
        if (untrusted != null) {
            return failed(
                    new StoreFailure.CertificateNotTrusted(),
                    Remedy.NONE,
                    "the certificate of " + server + " is not trusted (" + untrusted.getMessage()
                            + "); add its authority to the CA bundle, or correct the endpoint's name",
                    e);
        }
        return switch (e) {
            case TrustException _ ->
                failed(new StoreFailure.CertificateNotTrusted(), Remedy.NONE, String.valueOf(e.getMessage()), e);
            case UnknownHostException _ ->
                failed(
                        new StoreFailure.Unreachable(),
                        Remedy.UNREACHED,
                        e.getMessage() + "; check the endpoint and the DNS",
                        e);
            case ConnectException _ ->
                failed(
                        new StoreFailure.Unreachable(),
                        Remedy.UNREACHED,
                        "no connection to " + server + " (" + e.getMessage() + "); check the endpoint and the network",
                        e);
            case SocketTimeoutException _ ->
                failed(new StoreFailure.Timeout(), Remedy.UNREACHED, server + " does not answer: " + e.getMessage(), e);
            case SSLException plain
            when String.valueOf(plain.getMessage()).contains("plaintext") ->
                failed(
                        new StoreFailure.Protocol(),
                        Remedy.NONE,
                        server + " does not speak TLS; check the port, or use http:// if it is meant to be so",
                        e);
            case ProtocolException _ ->
                failed(new StoreFailure.Protocol(), Remedy.NONE, server + " does not speak S3: " + e.getMessage(), e);
            case EOFException _ ->
                failed(new StoreFailure.Unreachable(), Remedy.UNREACHED, String.valueOf(e.getMessage()), e);
            default ->
                failed(
                        new StoreFailure.Unreachable(),
                        Remedy.UNREACHED,
                        "the connection to " + server + " broke (" + e.getMessage() + ")",
                        e);
        };
    }

    /** The innermost says what is wrong with it; those around it say only that something is. */
    private static @Nullable CertificateException causeOf(Throwable e) {
        CertificateException innermost = null;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException found) {
                innermost = found;
            }
        }
        return innermost;
    }

    private static AttemptFailure failed(StoreFailure failure, Remedy remedy, String reason, IOException cause) {
        return new AttemptFailure(failure, remedy, ErrorAnswer.NONE, reason, cause);
    }
}
