package s3csi.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class LogSetupTest {
    @AfterEach
    void quiet() {
        LogSetup.verbosity(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "software.amazon.awssdk.http.auth.aws.internal.signer.DefaultV4RequestSigner",
                "io.grpc.netty.NettyServerHandler",
                "io.netty.handler.codec.http2.Http2FrameLogger",
                "io.netty.handler.logging.LoggingHandler",
                "org.apache.http.wire",
                "jdk.httpclient.HttpClient"
            })
    void whatLibrariesSendAndReceiveIsNotShownHoweverMuchIsAskedFor(String logger) {
        LogSetup.verbosity(10);
        assertThat(LoggerFactory.getLogger(logger).isInfoEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger(logger).isDebugEnabled()).isFalse();
    }

    @Test
    void requestsToTheStoreAreShownOnDemand() {
        assertThat(LoggerFactory.getLogger(LogSetup.REQUESTS).isDebugEnabled()).isFalse();
        LogSetup.verbosity(6);
        assertThat(LoggerFactory.getLogger(LogSetup.REQUESTS).isDebugEnabled()).isTrue();
    }
}
