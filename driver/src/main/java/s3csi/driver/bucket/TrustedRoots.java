package s3csi.driver.bucket;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The system's roots and a private CA bundle beside them, read again when its content changes, so that a rotated CA needs no
 * restart. While a new bundle cannot be read, the last good one stays. A bundle is a file, or a directory of {@code .pem} and
 * {@code .crt} files as a mounted ConfigMap is.
 */
public final class TrustedRoots {
    private static final Logger LOG = LoggerFactory.getLogger(TrustedRoots.class);

    private final Path bundle;
    private byte[] content;
    private X509TrustManager manager;

    private TrustedRoots(Path bundle, byte[] content, X509TrustManager manager) {
        this.bundle = bundle;
        this.content = content;
        this.manager = manager;
    }

    /** Fails, in words, when the bundle cannot be used at all. */
    public static TrustedRoots with(Path bundle) {
        try {
            byte[] content = read(bundle);
            return new TrustedRoots(bundle, content, managerFor(content));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "AWS_CA_BUNDLE " + bundle + " cannot be used: " + why(e)
                            + "; it must be a file of PEM certificates, or a directory of .pem and .crt files",
                    e);
        }
    }

    /** The same object until the content changes: calls are rare and bundles are small, so comparing them is cheap and never wrong. */
    synchronized X509TrustManager current() {
        try {
            byte[] now = read(bundle);
            if (!Arrays.equals(now, content)) {
                content = now;
                manager = managerFor(now);
                LOG.info("the CA bundle {} changed and was read again", bundle);
            }
        } catch (IOException | GeneralSecurityException e) {
            LOG.warn("the CA bundle {} cannot be read; the last good one stays in use: {}", bundle, why(e));
        }
        return manager;
    }

    /** Two exceptions of the JDK name the file and leave the reason to their type. */
    private static String why(Exception e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static byte[] read(Path bundle) throws IOException {
        if (!Files.isDirectory(bundle)) {
            return Files.readAllBytes(bundle);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(bundle)) {
            for (Path file : files.filter(TrustedRoots::isCertificate).sorted().toList()) {
                all.write(Files.readAllBytes(file));
                // The last line of a file may lack its end.
                all.write('\n');
            }
        }
        return all.toByteArray();
    }

    private static boolean isCertificate(Path file) {
        String name = file.toString();
        return (name.endsWith(".pem") || name.endsWith(".crt")) && Files.isRegularFile(file);
    }

    private static X509TrustManager managerFor(byte[] bundle) throws IOException, GeneralSecurityException {
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
    private static X509TrustManager manager(@Nullable KeyStore roots) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(roots);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("this Java has no X.509 trust manager"));
    }
}
