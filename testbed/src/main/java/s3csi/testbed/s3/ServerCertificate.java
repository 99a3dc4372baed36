package s3csi.testbed.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A certificate and its key, as the PEM files that servers read. */
public record ServerCertificate(String certificatePem, String keyPem) {
    void writeTo(Path directory, String certificateName, String keyName) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(certificateName), certificatePem);
            Files.writeString(directory.resolve(keyName), keyPem);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write the server's certificate to " + directory, failure);
        }
    }

    @Override
    public String toString() {
        return "ServerCertificate[...]";
    }
}
