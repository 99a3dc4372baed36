package s3csi.s3.testing.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;

final class PrivateCaTest {
    @Test
    void signsCertificatesForTheNameTheyAreMadeFor() throws GeneralSecurityException {
        PrivateCa authority = PrivateCa.create();

        X509Certificate server = parse(authority.issueFor("127.0.0.1").certificatePem());

        server.verify(parse(authority.certificatePem()).getPublicKey());
        assertThat(server.getSubjectAlternativeNames())
                .singleElement()
                .satisfies(name -> assertThat(name.get(1)).isEqualTo("127.0.0.1"));
        assertThatThrownBy(() ->
                        server.verify(parse(PrivateCa.create().certificatePem()).getPublicKey()))
                .isInstanceOf(SignatureException.class);
    }

    private static X509Certificate parse(String pem) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII)));
    }
}
