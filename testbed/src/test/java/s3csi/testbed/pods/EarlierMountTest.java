package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;
import s3csi.s3.testing.server.VersityServer.Role;
import s3csi.testbed.cluster.RunningController;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.ProfileFiles;

/** A mount as 1.x makes it: a process of the host that mounted the target itself, with the driver's keys in files of the plugin directory. */
class EarlierMountTest extends PodsStage {
    @Override
    S3Server startStore() {
        return VersityServer.start();
    }

    private VersityServer versity() {
        return (VersityServer) store;
    }

    @Test
    void itGoesOnWithNewKeysAndEndsWithItsWorkload() throws IOException {
        controller.close();
        Credentials.Keys old = versity().createAccount("earlier-old", Role.ADMIN);
        Credentials.Keys fresh = versity().createAccount("earlier-new", Role.ADMIN);
        String bucket = volume("v");
        Pod workload = workload("app", "v");
        scenario.becomes(workload, "Running");
        ProfileFiles files =
                ProfileFiles.ofWorkload(workload.getMetadata().getUid(), new VolumeId("handle-of-" + name("v")));
        try (ChildProcess engine = mountAs1x(bucket, node.target(workload, name("v")), files, old);
                RunningController _ = RunningController.start(plane)) {
            Path target = node.target(workload, name("v"));
            await("it is mounted", () -> node.mounts().size() == 1 && Files.exists(target.resolve("greeting")));
            driverSecret.rotate(fresh);
            publish(workload, "v");
            versity().deleteAccount(old);
            put(bucket, "later", "still served");
            assertThat(target.resolve("later")).hasContent("still served");
            Files.writeString(target.resolve("note"), "written with new keys");
            assertThat(stored(bucket, "note")).isEqualTo("written with new keys");
            assertThat(scenario.mountpointPods()).isEmpty();
            assertThat(scenario.attachments()).isEmpty();
            finish(workload, "v");
            assertThat(engine.hasEndedWithin(SOON)).isTrue();
            assertThat(node.plugin().resolve(files.credentialsFile())).doesNotExist();
            awaitNothingIsLeft();
        } finally {
            driverSecret.rotate(store.root());
        }
    }

    private ChildProcess mountAs1x(String bucket, Path target, ProfileFiles files, Credentials.Keys keys)
            throws IOException {
        Files.createDirectories(target);
        Files.writeString(node.plugin().resolve(files.configFile()), files.config());
        Files.writeString(
                node.plugin().resolve(files.credentialsFile()),
                files.credentials(new StoreKeys(keys.accessKeyId(), keys.secretAccessKey(), Optional.empty())));
        Map<String, String> environment =
                new HashMap<>(files.environment(node.plugin().toString()));
        environment.put("AWS_ENDPOINT_URL", store.endpoint().toString());
        environment.put("AWS_REGION", store.region());
        return ChildProcess.start(
                List.of(
                        Tools.program("mount-s3").toString(),
                        bucket,
                        target.toString(),
                        "--foreground",
                        "--allow-root",
                        "--allow-delete",
                        "--force-path-style"),
                environment,
                node.directory().resolve("earlier.log"));
    }
}
