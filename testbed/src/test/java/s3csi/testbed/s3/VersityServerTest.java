package s3csi.testbed.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;
import s3csi.s3.testing.server.VersityServer.Role;
import software.amazon.awssdk.services.s3.model.S3Exception;

final class VersityServerTest extends S3ServerContract {
    @Override
    S3Server startServer() {
        return VersityServer.start();
    }

    @Test
    void keepsTheBucketsOfOneAccountFromTheOthers() {
        var versity = (VersityServer) server();
        Credentials.Keys owner = versity.createAccount("owner", Role.USERPLUS);
        Credentials.Keys neighbour = versity.createAccount("neighbour", Role.USERPLUS);
        try (var ours = S3Clients.of(versity, owner);
                var theirs = S3Clients.of(versity, neighbour)) {
            ours.createBucket(request -> request.bucket("owned"));

            assertThat(ours.headBucket(request -> request.bucket("owned"))).isNotNull();
            assertForbidden(() -> theirs.listObjectsV2(request -> request.bucket("owned")));
        }
    }

    @Test
    void letsAPlainUserMakeNoBucket() {
        var versity = (VersityServer) server();
        try (var user = S3Clients.of(versity, versity.createAccount("plain", Role.USER))) {
            assertForbidden(() -> user.createBucket(request -> request.bucket("not-allowed")));
        }
    }

    @Test
    void saysWhyAnAccountCannotBeMade() {
        var versity = (VersityServer) server();
        versity.createAccount("twice", Role.USER);

        assertThatThrownBy(() -> versity.createAccount("twice", Role.USER))
                .hasMessageContaining("versitygw failed")
                .hasMessageContaining("exist");
    }

    private static void assertForbidden(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        refusal -> assertThat(refusal.statusCode()).isEqualTo(403));
    }
}
