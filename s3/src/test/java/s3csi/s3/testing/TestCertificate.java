package s3csi.s3.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate and an authority of its own, made by the JDK's keytool, so that a test can decide whom to trust. */
public final class TestCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String ALIAS = "server";

    private static final String AUTHORITY = "authority";

    private static final Map<String, TestCertificate> MADE = new ConcurrentHashMap<>();

    private final KeyStore keys;
    private final Certificate authority;

    private TestCertificate(KeyStore keys, Certificate authority) {
        this.keys = keys;
        this.authority = authority;
    }

    /** Valid for the loopback addresses and {@code localhost}. */
    public static TestCertificate forLoopback() {
        return make("SAN=ip:127.0.0.1,dns:localhost", List.of());
    }

    /** Like {@link #forLoopback}, but its time is over. */
    public static TestCertificate expired() {
        return make("SAN=ip:127.0.0.1,dns:localhost", List.of("-startdate", "-20d", "-validity", "10"));
    }

    /** Valid, but for another host. */
    public static TestCertificate forAnotherHost() {
        return make("SAN=dns:elsewhere.example", List.of());
    }

    /** Made once per JVM: keytool takes its time. */
    private static TestCertificate make(String names, List<String> more) {
        return MADE.computeIfAbsent(names + more, _ -> makeNew(names, more));
    }

    private static TestCertificate makeNew(String names, List<String> more) {
        try {
            Path directory = Files.createTempDirectory("s3csi-certificate");
            try {
                Path store = directory.resolve("keys.p12");
                keytool(store, List.of("-alias", AUTHORITY, "-dname", "CN=test authority", "-ext", "bc:c"));
                List<String> server = new ArrayList<>(
                        List.of("-alias", ALIAS, "-dname", "CN=test", "-ext", names, "-signer", AUTHORITY));
                server.addAll(more);
                keytool(store, server);
                KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
                Certificate authority = keys.getCertificate(AUTHORITY);
                // A server must not offer the authority's own key.
                keys.deleteEntry(AUTHORITY);
                return new TestCertificate(keys, authority);
            } finally {
                Directories.delete(directory);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot make a certificate", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while making a certificate", e);
        }
    }

    private static void keytool(Path store, List<String> more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD)));
        command.addAll(more);
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IllegalStateException("keytool failed: " + said);
        }
    }

    /** The certificate of the authority, for whoever is to trust it. */
    public String authorityPem() {
        try {
            return pem("CERTIFICATE", authority.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The certificate, for a server. */
    public String certificatePem() {
        try {
            return pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The private key, for a server. */
    public String privateKeyPem() {
        try {
            return pem("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String kind, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
    }

    /** For a server in Java. */
    public SSLContext serverContext() {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
