package s3csi.s3.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate that signs itself, made by the JDK's keytool, so that a test can decide whether to trust it. */
public final class TestCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String ALIAS = "server";

    private final KeyStore keys;

    private TestCertificate(KeyStore keys) {
        this.keys = keys;
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

    private static TestCertificate make(String names, List<String> more) {
        try {
            Path directory = Files.createTempDirectory("s3csi-certificate");
            try {
                Path store = directory.resolve("keys.p12");
                List<String> command = new ArrayList<>(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=test",
                        "-ext",
                        names,
                        "-alias",
                        ALIAS,
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD)));
                command.addAll(more);
                Process keytool =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                    throw new IllegalStateException("keytool failed: " + said);
                }
                return new TestCertificate(KeyStore.getInstance(store.toFile(), PASSWORD));
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

    /** The certificate, for whoever is to trust it. */
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
