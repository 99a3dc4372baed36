package s3csi.driver.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** What kubelet gives a pod so that it can talk to its cluster. Kubelet renews the files, so they are read again and again. */
public final class ServiceAccount {
    private final Path directory;
    private byte @Nullable [] trusted;
    private @Nullable SSLSocketFactory sockets;

    public ServiceAccount(Path directory) {
        this.directory = directory;
    }

    String token() throws IOException {
        return Files.readString(directory.resolve("token")).strip();
    }

    /** The namespace of the pod; empty if that was not told. */
    public Optional<String> namespace() {
        try {
            return Optional.of(Files.readString(directory.resolve("namespace")).strip());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Sockets that trust the authority of the cluster and no other. */
    synchronized SSLSocketFactory sockets() throws IOException {
        byte[] authority = Files.readAllBytes(directory.resolve("ca.crt"));
        if (sockets == null || !Arrays.equals(authority, trusted)) {
            sockets = trusting(authority);
            trusted = authority;
        }
        return sockets;
    }

    private SSLSocketFactory trusting(byte[] authority) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(authority))) {
                store.setCertificateEntry(Integer.toString(number++), certificate);
            }
            if (number == 0) {
                throw new IOException(directory.resolve("ca.crt") + " holds no certificate");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(directory.resolve("ca.crt") + " holds no usable certificate", e);
        }
    }
}
