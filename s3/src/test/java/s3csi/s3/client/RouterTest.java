package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RouterTest {
    /** Requests may still be under way to the first region while others go to the second. */
    @Test
    void theEndClosesTheConnectionsToEveryRegion() {
        Router router = new Router(HttpStoreOptions.forBucket("bucket"));
        Router.Route first = router.route();
        assertThat(router.learn("eu-west-3", first)).isTrue();
        Router.Route second = router.route();
        assertThat(second.endpoint().origin()).isNotEqualTo(first.endpoint().origin());

        router.close();

        assertThat(first.client().isClosed()).isTrue();
        assertThat(second.client().isClosed()).isTrue();
    }
}
