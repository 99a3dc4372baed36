package s3csi.testbed.demo;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.GetPluginInfoResponse;
import s3csi.csi.v1.Volume;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.testbed.csi.ControllerProgram;
import s3csi.testbed.process.Scratch;
import s3csi.testbed.s3.MinioServer;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** One volume's life: a claim becomes a bucket, and the bucket goes with the claim. */
public final class Demo {
    private static final CreateVolumeRequest CLAIM = CreateVolumeRequest.newBuilder()
            .setName("pvc-demo")
            .addVolumeCapabilities(VolumeCapability.newBuilder()
                    .setMount(MountVolume.getDefaultInstance())
                    .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER)))
            .putParameters("bucketNamePrefix", "demo-")
            .build();

    private Demo() {}

    public static void main(String[] arguments) {
        Story story = new Story(System.out);
        try (MinioServer store =
                        story.step(MinioServer::start, s3 -> "MinIO, a real S3 server, serves at " + s3.endpoint());
                ControllerProgram driver = story.step(
                        () -> ControllerProgram.start(store, Scratch.directory("demo")),
                        d -> "the controller listens on " + d.socket());
                S3Client s3 = S3Clients.root(store)) {
            tell(story, driver, s3);
        }
        story.end("controller and S3 server are stopped, their files removed");
    }

    private static void tell(Story story, ControllerProgram driver, S3Client s3) {
        story.step(
                () -> driver.channel().identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()),
                (GetPluginInfoResponse info) -> "it is " + info.getName() + " " + info.getVendorVersion());
        Volume volume = story.step(
                () -> driver.channel().controller().createVolume(CLAIM).getVolume(),
                made -> "CreateVolume pvc-demo made volume " + made.getVolumeId());
        story.step(() -> buckets(s3), names -> "S3 has the buckets " + names + " with the tags " + tags(s3, volume));
        story.step(
                () -> driver.channel()
                        .controller()
                        .createVolume(CLAIM)
                        .getVolume()
                        .equals(volume),
                same -> {
                    check(same, "a repeated CreateVolume gave another volume");
                    return "CreateVolume pvc-demo again, as after a lost answer, found the same volume";
                });
        story.step(
                () -> driver.channel()
                        .controller()
                        .deleteVolume(DeleteVolumeRequest.newBuilder()
                                .setVolumeId(volume.getVolumeId())
                                .build()),
                _ -> "DeleteVolume deleted it");
        story.step(() -> buckets(s3), names -> {
            check(names.isEmpty(), "buckets were left behind: " + names);
            return "S3 has no bucket any more";
        });
    }

    private static List<String> buckets(S3Client s3) {
        return s3.listBuckets().buckets().stream().map(Bucket::name).toList();
    }

    private static Map<String, String> tags(S3Client s3, Volume volume) {
        Map<String, String> tags = new TreeMap<>();
        s3.getBucketTagging(r -> r.bucket(volume.getVolumeId()))
                .tagSet()
                .forEach(tag -> tags.put(tag.key(), tag.value()));
        return tags;
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException("the demo found a defect: " + otherwise);
        }
    }
}
