package s3csi.s3.testing.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** A certificate authority that nobody trusts until told to, made with the JDK's keytool. */
public final class PrivateCa {
    private static final String PASSWORD = "only-for-tests";
    private static final String AUTHORITY = "authority";
    private static final String SERVER = "server";
    private static final List<String> LASTING = List.of("-validity", "30");

    private final KeyStore keys;
    private final String certificatePem;
    private final SSLContext trust;

    private PrivateCa(KeyStore keys, String certificatePem, SSLContext trust) {
        this.keys = keys;
        this.certificatePem = certificatePem;
        this.trust = trust;
    }

    public static PrivateCa create() {
        try {
            KeyStore keys = generate(
                    null,
                    LASTING,
                    "-alias",
                    AUTHORITY,
                    "-dname",
                    "CN=Testbed private CA",
                    "-ext",
                    "bc:c",
                    "-ext",
                    "ku=keyCertSign");
            Certificate certificate = keys.getCertificate(AUTHORITY);
            return new PrivateCa(
                    keys, ServerCertificate.pem("CERTIFICATE", certificate.getEncoded()), trusting(certificate));
        } catch (GeneralSecurityException | IOException failure) {
            throw new IllegalStateException("cannot make a private certificate authority", failure);
        }
    }

    /** The authority's certificate, as users put it into a ConfigMap or a CA bundle. */
    public String certificatePem() {
        return certificatePem;
    }

    /** Trusts this authority and no other. */
    public SSLContext trust() {
        return trust;
    }

    /** A server certificate for addresses and host names. */
    public ServerCertificate issueFor(String... hosts) {
        return issue(LASTING, hosts);
    }

    /** The same, but its time is over. */
    public ServerCertificate issueExpiredFor(String... hosts) {
        return issue(List.of("-startdate", "-20d", "-validity", "10"), hosts);
    }

    private ServerCertificate issue(List<String> time, String... hosts) {
        String names = Arrays.stream(hosts)
                .map(host -> (Character.isDigit(host.charAt(0)) || host.contains(":") ? "ip:" : "dns:") + host)
                .collect(Collectors.joining(","));
        try {
            KeyStore issued = generate(
                    keys,
                    time,
                    "-alias",
                    SERVER,
                    "-dname",
                    "CN=Testbed server",
                    "-signer",
                    AUTHORITY,
                    "-ext",
                    "san=" + names,
                    "-ext",
                    "eku=serverAuth");
            // A server must not offer the authority's own key.
            issued.deleteEntry(AUTHORITY);
            return new ServerCertificate(issued, SERVER, PASSWORD.toCharArray());
        } catch (GeneralSecurityException | IOException failure) {
            throw new IllegalStateException("cannot issue a certificate for " + names, failure);
        }
    }

    public static SSLContext trustOfTheJdk() {
        try {
            return SSLContext.getDefault();
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("the JDK has no default TLS context", failure);
        }
    }

    /** Trusts an authority whose certificate is in a file, and no other. */
    public static SSLContext trusting(Path certificate) {
        try (InputStream file = Files.newInputStream(certificate)) {
            return trusting(CertificateFactory.getInstance("X.509").generateCertificate(file));
        } catch (GeneralSecurityException | IOException failure) {
            throw new IllegalStateException("cannot trust the authority in " + certificate, failure);
        }
    }

    /** One more key pair beside those that are there. */
    private static KeyStore generate(@Nullable KeyStore present, List<String> time, String... options)
            throws GeneralSecurityException, IOException {
        Path directory = Scratch.directory("keys");
        try {
            Path file = directory.resolve("keys.p12");
            if (present != null) {
                try (OutputStream out = Files.newOutputStream(file)) {
                    present.store(out, PASSWORD.toCharArray());
                }
            }
            var command = new ArrayList<>(List.of(
                    Tools.ofTheJdk("keytool").toString(),
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD,
                    "-keystore",
                    file.toString()));
            command.addAll(time);
            command.addAll(List.of(options));
            ChildProcess.run(command, Map.of(), directory.resolve("keytool.log"), Duration.ofSeconds(30));
            return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        } finally {
            Scratch.delete(directory);
        }
    }

    private static SSLContext trusting(Certificate certificate) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(AUTHORITY, certificate);
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
