package s3csi.testbed.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.GetPluginInfoResponse;
import s3csi.csi.v1.Volume;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.csi.NodeProgram;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What the demo shows: a claim becomes a bucket, the bucket two directories, and all of it goes again. */
final class VolumeLife {
    private static final CreateVolumeRequest CLAIM = CreateVolumeRequest.newBuilder()
            .setName("pvc-demo")
            .addVolumeCapabilities(VolumeCapability.newBuilder()
                    .setMount(MountVolume.getDefaultInstance())
                    .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER)))
            .putParameters("bucketNamePrefix", "demo-")
            .build();

    private static final String GREETING = "hello from a pod\n";

    private final Story story;
    private final DriverProgram controller;
    private final NodeProgram node;
    private final S3Client s3;
    private @Nullable Volume volume;

    VolumeLife(Story story, DriverProgram controller, NodeProgram node, S3Client s3) {
        this.story = story;
        this.controller = controller;
        this.node = node;
        this.s3 = s3;
    }

    private Volume volume() {
        if (volume == null) {
            throw new IllegalStateException("there is no volume yet");
        }
        return volume;
    }

    String bucket() {
        return volume().getVolumeId();
    }

    Path first() {
        return node.target("pod-a");
    }

    Path second() {
        return node.target("pod-b");
    }

    /** From a claim to a file in the bucket. */
    void begin() {
        story.step(
                () -> controller.channel().identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()),
                (GetPluginInfoResponse info) -> "they are " + info.getName() + " " + info.getVendorVersion());
        volume = story.step(this::create, made -> "CreateVolume pvc-demo made volume " + made.getVolumeId());
        story.step(this::isInStore, isThere -> {
            check(isThere, "the bucket is not in the store");
            return "S3 has that bucket" + tags();
        });
        story.step(this::create, again -> {
            check(again.equals(volume()), "a repeated CreateVolume gave another volume");
            return "CreateVolume pvc-demo again, as after a lost answer, found the same volume";
        });
        story.step(() -> publish("pod-a"), target -> "NodePublishVolume mounted the bucket at " + target + " by FUSE");
        story.step(() -> write(first().resolve("hello.txt")), file -> "wrote " + file.getFileName() + " there");
        story.step(() -> read(first().resolve("hello.txt")), text -> {
            check(text.equals(GREETING), "the file has other content than was written: " + text);
            return "read it back: " + text.strip();
        });
        story.step(this::objects, objects -> {
            check(objects.equals(List.of("hello.txt")), "S3 has other objects: " + objects);
            return "S3 has it as the object hello.txt of " + objectSize() + " bytes";
        });
    }

    /** A second workload on the same node. */
    void share() {
        story.step(() -> publish("pod-b"), target -> "NodePublishVolume for a second pod bound it at " + target);
        story.step(this::devices, devices -> {
            check(devices.size() == 1, "the two targets are different mounts: " + devices);
            check(node.engines().size() == 1, "there is not exactly one engine: " + node.engines());
            return "both are the one FUSE mount " + devices.getFirst() + ", served by process "
                    + node.engines().getFirst().pid();
        });
        story.step(() -> read(second().resolve("hello.txt")), text -> {
            check(text.equals(GREETING), "the second pod reads something else: " + text);
            return "the second pod reads: " + text.strip();
        });
        story.step(
                () -> publish("pod-a"),
                _ -> "NodePublishVolume again, as kubelet does every minute, only checked keys");
    }

    /** The last pod lets go, and the claim is deleted. */
    void end() {
        story.step(this::empty, files -> "removed " + files + " through the mount");
        story.step(
                () -> unpublish("pod-a"),
                _ -> "NodeUnpublishVolume let the first pod go; "
                        + node.mounts().size() + " mounts are left");
        story.step(() -> unpublish("pod-b"), _ -> {
            check(node.mounts().isEmpty(), "mounts were left behind: " + node.mounts());
            check(node.engines().isEmpty(), "engines were left behind: " + node.engines());
            return "NodeUnpublishVolume let the second pod go; nothing is mounted, and the engine has ended";
        });
        story.step(
                () -> controller
                        .channel()
                        .controller()
                        .deleteVolume(DeleteVolumeRequest.newBuilder()
                                .setVolumeId(bucket())
                                .build()),
                _ -> "DeleteVolume deleted it");
        story.step(this::isInStore, isThere -> {
            check(!isThere, "the bucket was left behind");
            return "S3 does not have that bucket any more";
        });
    }

    private Volume create() {
        return controller.channel().controller().createVolume(CLAIM).getVolume();
    }

    private Path publish(String pod) {
        return node.publish(
                node.request(bucket(), pod, "allow-delete").putAllVolumeContext(volume().getVolumeContextMap()));
    }

    private boolean unpublish(String pod) {
        node.unpublish(bucket(), pod);
        return true;
    }

    private List<DeviceNumber> devices() {
        return node.mounts().stream().map(MountEntry::device).distinct().toList();
    }

    private static Path write(Path file) {
        try {
            return Files.writeString(file, GREETING, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write through the mount", failure);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read through the mount", failure);
        }
    }

    /** A bucket with data is never deleted, so its files go first, whatever a user of a kept demo put there. */
    private List<Path> empty() {
        try (Stream<Path> files = Files.walk(first())) {
            List<Path> inside = files.filter(file -> !file.equals(first())).toList();
            for (Path file : inside.reversed()) {
                Files.deleteIfExists(file);
            }
            return inside.stream().map(first()::relativize).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove the files of the mount", failure);
        }
    }

    private List<String> objects() {
        return s3.listObjectsV2(request -> request.bucket(bucket())).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    private long objectSize() {
        return s3.headObject(request -> request.bucket(bucket()).key("hello.txt"))
                .contentLength();
    }

    private boolean isInStore() {
        return s3.listBuckets().buckets().stream()
                .anyMatch(bucket -> bucket.name().equals(bucket()));
    }

    /** Tags are the driver's note that the bucket is its own; it does without them where the store has none. */
    private String tags() {
        try {
            Map<String, String> tags = new TreeMap<>();
            s3.getBucketTagging(request -> request.bucket(bucket()))
                    .tagSet()
                    .forEach(tag -> tags.put(tag.key(), tag.value()));
            return ", with the tags " + tags;
        } catch (S3Exception e) {
            return "; this store keeps no tags of buckets";
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException("the demo found a defect: " + otherwise);
        }
    }
}
