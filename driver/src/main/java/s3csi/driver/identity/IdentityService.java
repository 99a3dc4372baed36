package s3csi.driver.identity;

import com.google.protobuf.BoolValue;
import io.grpc.stub.StreamObserver;
import java.util.function.BooleanSupplier;
import s3csi.csi.v1.GetPluginCapabilitiesRequest;
import s3csi.csi.v1.GetPluginCapabilitiesResponse;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.GetPluginInfoResponse;
import s3csi.csi.v1.IdentityGrpc.IdentityImplBase;
import s3csi.csi.v1.PluginCapability;
import s3csi.csi.v1.ProbeRequest;
import s3csi.csi.v1.ProbeResponse;
import s3csi.driver.grpc.Answers;
import s3csi.volume.Driver;

/** Who this driver is, what it can do as a whole, and whether it can do it now. */
public final class IdentityService extends IdentityImplBase {
    private final String version;
    private final BooleanSupplier ready;

    public IdentityService(String version, BooleanSupplier ready) {
        this.version = version;
        this.ready = ready;
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
        Answers.give(
                observer,
                () -> GetPluginInfoResponse.newBuilder()
                        .setName(Driver.NAME)
                        .setVendorVersion(version)
                        .build());
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> observer) {
        PluginCapability controller = PluginCapability.newBuilder()
                .setService(
                        PluginCapability.Service.newBuilder().setType(PluginCapability.Service.Type.CONTROLLER_SERVICE))
                .build();
        Answers.give(
                observer,
                () -> GetPluginCapabilitiesResponse.newBuilder()
                        .addCapabilities(controller)
                        .build());
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
        Answers.give(
                observer,
                () -> ProbeResponse.newBuilder()
                        .setReady(BoolValue.of(ready.getAsBoolean()))
                        .build());
    }
}
