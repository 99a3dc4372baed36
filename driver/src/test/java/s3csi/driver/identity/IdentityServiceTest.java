package s3csi.driver.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.csi.v1.GetPluginCapabilitiesRequest;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.GetPluginInfoResponse;
import s3csi.csi.v1.IdentityGrpc;
import s3csi.csi.v1.PluginCapability;
import s3csi.csi.v1.ProbeRequest;
import s3csi.driver.grpc.CallLog;
import s3csi.driver.grpc.CallMetrics;
import s3csi.driver.grpc.Connection;
import s3csi.driver.grpc.CsiServer;
import s3csi.driver.grpc.EndpointAddress;

class IdentityServiceTest {
    @Test
    void saysWhoItIsAndWhetherItIsReady(@TempDir Path directory) throws IOException {
        AtomicBoolean ready = new AtomicBoolean();
        Path socket = directory.resolve("csi.sock");
        try (CsiServer server = new CsiServer(
                        new EndpointAddress.Unix(socket),
                        List.of(new IdentityService("3.0.0", ready::get)),
                        new CallLog(new CallMetrics(new PrometheusRegistry())));
                Connection connection = Connection.to(socket)) {
            server.start();
            var identity = IdentityGrpc.newBlockingStub(connection.channel());
            assertThat(identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
                    .isEqualTo(GetPluginInfoResponse.newBuilder()
                            .setName("s3.csi.scality.com")
                            .setVendorVersion("3.0.0")
                            .build());
            assertThat(identity.getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList())
                    .extracting(capability -> capability.getService().getType())
                    .containsExactly(PluginCapability.Service.Type.CONTROLLER_SERVICE);
            assertThat(identity.probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isFalse();
            ready.set(true);
            assertThat(identity.probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isTrue();
        }
    }
}
