package s3csi.driver.controller;

import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.csi.v1.ControllerGetCapabilitiesRequest;
import s3csi.csi.v1.ControllerGetCapabilitiesResponse;
import s3csi.csi.v1.ControllerGrpc.ControllerImplBase;
import s3csi.csi.v1.ControllerServiceCapability;
import s3csi.csi.v1.ControllerServiceCapability.RPC;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.CreateVolumeResponse;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.DeleteVolumeResponse;
import s3csi.csi.v1.ValidateVolumeCapabilitiesRequest;
import s3csi.csi.v1.ValidateVolumeCapabilitiesResponse;
import s3csi.csi.v1.Volume;
import s3csi.csi.v1.VolumeCapability;
import s3csi.driver.bucket.Account;
import s3csi.driver.bucket.BucketMetrics;
import s3csi.driver.bucket.BucketStore;
import s3csi.driver.bucket.Provisioning;
import s3csi.driver.grpc.Answers;
import s3csi.driver.grpc.Capabilities;
import s3csi.driver.grpc.InFlight;
import s3csi.volume.BucketName;
import s3csi.volume.BucketNaming;
import s3csi.volume.CapacityRange;
import s3csi.volume.Cause;
import s3csi.volume.StorageClassParameters;
import s3csi.volume.StorageClassParameters.UnknownParameters;
import s3csi.volume.VolumeContext;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;
import s3csi.volume.VolumeName;

/** The CSI Controller service: volumes are buckets. */
public final class ControllerService extends ControllerImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerService.class);

    private final Accounts accounts;
    private final Function<Account, BucketStore> stores;
    private final BucketMetrics metrics;
    private final UnknownParameters unknownParameters;
    private final InFlight inFlight = new InFlight();

    public ControllerService(
            Accounts accounts,
            Function<Account, BucketStore> stores,
            BucketMetrics metrics,
            UnknownParameters unknownParameters) {
        this.accounts = accounts;
        this.stores = stores;
        this.metrics = metrics;
        this.unknownParameters = unknownParameters;
    }

    @Override
    public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
        Answers.give(observer, () -> create(request));
    }

    @Override
    public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
        Answers.give(observer, () -> delete(request));
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, StreamObserver<ValidateVolumeCapabilitiesResponse> observer) {
        Answers.give(observer, () -> validate(request));
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> observer) {
        ControllerServiceCapability createDelete = ControllerServiceCapability.newBuilder()
                .setRpc(RPC.newBuilder().setType(RPC.Type.CREATE_DELETE_VOLUME))
                .build();
        Answers.give(
                observer,
                () -> ControllerGetCapabilitiesResponse.newBuilder()
                        .addCapabilities(createDelete)
                        .build());
    }

    private CreateVolumeResponse create(CreateVolumeRequest request) {
        VolumeName name = new VolumeName(request.getName());
        Capabilities.require(request.getVolumeCapabilitiesList());
        refuseWhatIsNotClaimed(request);
        CapacityRange capacity = new CapacityRange(
                request.getCapacityRange().getRequiredBytes(),
                request.getCapacityRange().getLimitBytes());
        StorageClassParameters parameters = StorageClassParameters.parse(request.getParametersMap(), unknownParameters);
        Map<String, String> secrets = request.getSecretsMap();
        Account account = accounts.of(secrets, parameters.region());
        BucketName bucket = BucketNaming.bucketFor(parameters.bucketNamePrefix(), name);

        long bytes = inFlight.only(
                bucket.text(),
                () -> provisioning(account)
                        .provision(new Provisioning.Request(bucket, name, capacity, parameters.region())));

        return CreateVolumeResponse.newBuilder()
                .setVolume(Volume.newBuilder()
                        .setVolumeId(bucket.text())
                        .setCapacityBytes(bytes)
                        .putAllVolumeContext(
                                VolumeContext.provisioned(bucket, Accounts.sourceOf(secrets), parameters.region())))
                .build();
    }

    private DeleteVolumeResponse delete(DeleteVolumeRequest request) {
        VolumeId id = new VolumeId(request.getVolumeId());
        Optional<BucketName> bucket = BucketNaming.bucketOf(id);
        if (bucket.isEmpty()) {
            LOG.warn("volume {} was not made by this driver; its bucket is left alone", id);
            return DeleteVolumeResponse.getDefaultInstance();
        }
        Account account = accounts.of(request.getSecretsMap(), Optional.empty());
        return inFlight.only(id.text(), () -> {
            provisioning(account).remove(bucket.get());
            return DeleteVolumeResponse.getDefaultInstance();
        });
    }

    private ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest request) {
        VolumeId id = new VolumeId(request.getVolumeId());
        if (request.getVolumeCapabilitiesCount() == 0) {
            throw VolumeFailure.invalid(
                    "volume_capabilities", "volume capabilities are required", "Say which ones to check");
        }
        request.getVolumeCapabilitiesList().forEach(Capabilities::requireComplete);
        String bucket = request.getVolumeContextMap().getOrDefault(VolumeContext.BUCKET_NAME, id.text());
        if (!BucketName.isValid(bucket)
                || !stores.apply(accounts.of(request.getSecretsMap(), Optional.empty()))
                        .exists(new BucketName(bucket))) {
            throw new VolumeFailure(new Cause.NoSuchBucket(bucket));
        }
        return verdict(request);
    }

    private ValidateVolumeCapabilitiesResponse verdict(ValidateVolumeCapabilitiesRequest request) {
        for (VolumeCapability capability : request.getVolumeCapabilitiesList()) {
            Optional<String> problem = Capabilities.unsupported(capability);
            if (problem.isPresent()) {
                return ValidateVolumeCapabilitiesResponse.newBuilder()
                        .setMessage(problem.get())
                        .build();
            }
        }
        return ValidateVolumeCapabilitiesResponse.newBuilder()
                .setConfirmed(ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                        .putAllVolumeContext(request.getVolumeContextMap())
                        .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                        .putAllParameters(request.getParametersMap()))
                .build();
    }

    private static void refuseWhatIsNotClaimed(CreateVolumeRequest request) {
        if (request.hasVolumeContentSource()) {
            throw VolumeFailure.invalid(
                    "volume_content_source",
                    "this driver neither clones nor restores",
                    "Make an empty volume and copy");
        }
        if (request.getModifiableParametersCount() > 0) {
            throw VolumeFailure.invalid(
                    "mutable_parameters", "this driver has none", "Remove the VolumeAttributesClass from the claim");
        }
    }

    private Provisioning provisioning(Account account) {
        return new Provisioning(stores.apply(account), metrics);
    }
}
