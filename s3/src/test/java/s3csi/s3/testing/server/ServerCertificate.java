package s3csi.s3.testing.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate and its key, as the PEM files that servers read, or for a server in Java. */
public final class ServerCertificate {
    private final KeyStore keys;
    private final String alias;
    private final char[] password;

    ServerCertificate(KeyStore keys, String alias, char[] password) {
        this.keys = keys;
        this.alias = alias;
        this.password = password;
    }

    String certificatePem() throws GeneralSecurityException {
        return pem("CERTIFICATE", keys.getCertificate(alias).getEncoded());
    }

    void writeTo(Path directory, String certificateName, String keyName) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(certificateName), certificatePem());
            Files.writeString(
                    directory.resolve(keyName),
                    pem("PRIVATE KEY", keys.getKey(alias, password).getEncoded()));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write the server's certificate to " + directory, failure);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("cannot write the server's certificate to " + directory, failure);
        }
    }

    /** What a server in Java shows its clients. */
    public SSLContext serverContext() {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("cannot use the server's certificate", failure);
        }
    }

    static String pem(String label, byte[] content) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
    }
}
