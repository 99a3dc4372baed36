package s3csi.driver.bucket;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The system's roots and a private CA bundle beside them, read again when the file's content changes, so that a rotated CA
 * needs no restart. While a new bundle cannot be read, the last good one stays.
 */
public final class TrustedRoots extends X509ExtendedTrustManager {
    private static final Logger LOG = LoggerFactory.getLogger(TrustedRoots.class);

    private final Path bundle;
    private byte[] content;
    private X509ExtendedTrustManager manager;

    private TrustedRoots(Path bundle, byte[] content, X509ExtendedTrustManager manager) {
        this.bundle = bundle;
        this.content = content;
        this.manager = manager;
    }

    /** Fails, in words, when the bundle cannot be used at all. */
    public static X509TrustManager with(Path bundle) {
        try {
            byte[] content = Files.readAllBytes(bundle);
            return new TrustedRoots(bundle, content, managerFor(content));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "AWS_CA_BUNDLE " + bundle + " cannot be used: " + e.getMessage()
                            + "; it must be a file of PEM certificates",
                    e);
        }
    }

    /** Handshakes are rare, the file is small: comparing its content is cheap and never wrong. */
    private synchronized X509ExtendedTrustManager current() {
        try {
            byte[] now = Files.readAllBytes(bundle);
            if (!Arrays.equals(now, content)) {
                manager = managerFor(now);
                content = now;
                LOG.info("the CA bundle {} changed and was read again", bundle);
            }
        } catch (IOException | GeneralSecurityException e) {
            LOG.warn("the CA bundle {} cannot be read; the last good one stays in use: {}", bundle, e.getMessage());
        }
        return manager;
    }

    private static X509ExtendedTrustManager managerFor(byte[] bundle) throws IOException, GeneralSecurityException {
        Collection<? extends Certificate> own =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bundle));
        if (own.isEmpty()) {
            throw new CertificateException("it holds no certificate");
        }
        KeyStore roots = KeyStore.getInstance(KeyStore.getDefaultType());
        roots.load(null, null);
        int number = 0;
        for (Certificate certificate : Stream.concat(
                        own.stream(), Arrays.stream(manager(null).getAcceptedIssuers()))
                .toList()) {
            roots.setCertificateEntry("root-" + number++, certificate);
        }
        return manager(roots);
    }

    /** For a store of roots; for none, the system's. */
    private static X509ExtendedTrustManager manager(@Nullable KeyStore roots) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(roots);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("this Java has no X.509 trust manager"));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        current().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        current().checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        current().checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw clientsAreNotServed();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw clientsAreNotServed();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw clientsAreNotServed();
    }

    private static CertificateException clientsAreNotServed() {
        return new CertificateException("these roots are for servers; no client is checked here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return current().getAcceptedIssuers();
    }
}
