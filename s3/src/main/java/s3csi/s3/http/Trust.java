package s3csi.s3.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom to believe: the roots of the platform, and a bundle of private authorities in PEM, which may be a file or a directory of
 * {@code .pem} and {@code .crt} files. The bundle is read when the first TLS connection needs it, because a hundred authorities take
 * some tenths of a second, and again when it changes, as a mounted ConfigMap does; a bundle that became unreadable leaves the last
 * good one in force, and that is told once.
 */
public final class Trust {
    private static final Logger LOG = LoggerFactory.getLogger(Trust.class);

    /** What a bundle means for the roots of the platform. */
    public enum Bundle {
        ADDS,
        REPLACES
    }

    private static final Pattern BEGINNING = Pattern.compile("^-----BEGIN ", Pattern.MULTILINE);

    private final @Nullable Path path;
    private final Bundle meaning;
    private @Nullable SSLContext context;
    /** The state of the bundle that was looked at last, whatever came of it. */
    private List<Stamp> looked = List.of();

    private String complaint = "";

    private Trust(@Nullable Path path, Bundle meaning) {
        this.path = path;
        this.meaning = meaning;
    }

    /** Only the roots of the platform. */
    public static Trust platform() {
        return new Trust(null, Bundle.ADDS);
    }

    /** A bundle besides or instead of the roots of the platform; whether it is any good shows with the first TLS connection. */
    public static Trust bundle(Path path, Bundle meaning) {
        return new Trust(path, meaning);
    }

    /** What tells one state of a file from another, without reading it. */
    private record Stamp(
            Path file, long modified, long size, @Nullable Object key) {
        static Stamp of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(file, attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
        }
    }

    /** For a new connection; looks first whether the bundle changed. */
    synchronized SSLContext context() throws TrustException {
        SSLContext known = context;
        try {
            List<Stamp> present = path == null ? List.of() : stamps(path);
            if (known == null || !present.equals(looked)) {
                known = read(present);
            }
            complaint = "";
            return known;
        } catch (IOException e) {
            if (known == null) {
                throw new TrustException(path, e);
            }
            complain(e);
            return known;
        }
    }

    private SSLContext read(List<Stamp> present) throws IOException {
        List<byte[]> texts = new ArrayList<>();
        for (Stamp stamp : present) {
            texts.add(Files.readAllBytes(stamp.file));
        }
        // What makes no sense is not read for every connection either, but when it changes. What could not be read is.
        looked = present;
        SSLContext read = contextOf(certificatesIn(present, texts));
        if (context != null) {
            LOG.info("certificate authorities read again from {}", path);
        }
        context = read;
        return read;
    }

    /** Once: there may be a new connection every few milliseconds. */
    private void complain(IOException trouble) {
        String words = trouble.toString();
        if (!words.equals(complaint)) {
            complaint = words;
            LOG.warn(
                    "cannot read the certificate authorities in {}, the ones read before stay in force", path, trouble);
        }
    }

    private static List<Stamp> stamps(Path bundle) throws IOException {
        if (!Files.isDirectory(bundle)) {
            return List.of(Stamp.of(bundle));
        }
        List<Stamp> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(bundle)) {
            for (Path file : files.sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                if ((name.endsWith(".pem") || name.endsWith(".crt")) && Files.isRegularFile(file)) {
                    found.add(Stamp.of(file));
                }
            }
        }
        return found;
    }

    private List<Certificate> certificatesIn(List<Stamp> files, List<byte[]> texts) throws IOException {
        List<Certificate> certificates = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            certificates.addAll(certificatesIn(files.get(i).file, texts.get(i)));
        }
        if (path != null && certificates.isEmpty()) {
            throw new IOException("no certificate found in " + path + ": it must hold PEM certificates");
        }
        return certificates;
    }

    private static Collection<? extends Certificate> certificatesIn(Path file, byte[] text) throws IOException {
        Collection<? extends Certificate> found;
        try {
            // From memory: the factory reads byte by byte, which from a file is a system call each, and two thirds of
            // the time that 140 authorities take.
            found = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(text));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot read certificates from " + file + ": it must hold PEM certificates", e);
        }
        // The factory takes a file that breaks off for one that ends before the last certificate begins.
        if (found.size()
                < BEGINNING
                        .matcher(new String(text, StandardCharsets.ISO_8859_1))
                        .results()
                        .count()) {
            throw new IOException("the last certificate in " + file + " breaks off; it may be written just now");
        }
        return found;
    }

    private SSLContext contextOf(List<Certificate> bundle) throws IOException {
        try {
            KeyStore roots = KeyStore.getInstance(KeyStore.getDefaultType());
            roots.load(null, null);
            int number = 0;
            for (Certificate certificate : bundle) {
                roots.setCertificateEntry("bundle-" + number++, certificate);
            }
            if (meaning == Bundle.ADDS) {
                for (X509Certificate certificate : platformRoots()) {
                    roots.setCertificateEntry("platform-" + number++, certificate);
                }
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(roots);
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(null, factory.getTrustManagers(), null);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot set up TLS", e);
        }
    }

    private static List<X509Certificate> platformRoots() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        List<X509Certificate> roots = new ArrayList<>();
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager x509) {
                roots.addAll(List.of(x509.getAcceptedIssuers()));
            }
        }
        return roots;
    }
}
