package s3csi.driver.registration;

import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;
import s3csi.driver.grpc.Answers;
import s3csi.registration.v1.InfoRequest;
import s3csi.registration.v1.PluginInfo;
import s3csi.registration.v1.RegistrationGrpc.RegistrationImplBase;
import s3csi.registration.v1.RegistrationStatus;
import s3csi.registration.v1.RegistrationStatusResponse;
import s3csi.volume.Driver;

/** What kubelet asks of a plugin whose socket it has found, and what it then tells it. */
final class RegistrationService extends RegistrationImplBase {
    private static final String KIND = "CSIPlugin";

    /** Kubelet compares it with the version of CSI that it speaks itself; all releases of CSI 1 go by this one. */
    private static final String CSI = "1.0.0";

    private final Registration registration;
    private final Consumer<RegistrationStatus> told;

    RegistrationService(Registration registration, Consumer<RegistrationStatus> told) {
        this.registration = registration;
        this.told = told;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> observer) {
        Answers.give(
                observer,
                () -> PluginInfo.newBuilder()
                        .setType(KIND)
                        .setName(Driver.NAME)
                        .setEndpoint(registration.csi().toString())
                        .addSupportedVersions(CSI)
                        .build());
    }

    @Override
    public void notifyRegistrationStatus(
            RegistrationStatus status, StreamObserver<RegistrationStatusResponse> observer) {
        Answers.give(observer, () -> {
            told.accept(status);
            return RegistrationStatusResponse.getDefaultInstance();
        });
    }
}
