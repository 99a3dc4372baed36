package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.linux.MountEntry;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.FoundEngine;

/** Many volumes, and many calls for one. */
final class CrowdTest extends NodeStage {
    private static final int VOLUMES = 50;
    private static final int CALLS = 100;

    @Override
    S3Server startServer() {
        return MinioServer.startInMemory();
    }

    @Test
    void manyVolumesLiveAtOnceAndOutliveTheDriver() throws Exception {
        List<String> buckets = IntStream.range(0, VOLUMES)
                .mapToObj(number -> bucket("crowd-" + number))
                .toList();
        allAtOnce(buckets.stream()
                .<Callable<Path>>map(bucket -> () -> node.publish(bucket, bucket))
                .toList());
        assertThat(node.engines()).hasSize(VOLUMES);
        assertThat(node.mounts()).hasSize(2 * VOLUMES);
        assertAllServe(buckets);
        List<MountEntry> before = node.mounts();
        List<FoundEngine> engines = node.engines();

        node.kill();
        assertAllServe(buckets);
        node.startAgain();

        allAtOnce(buckets.stream()
                .<Callable<Path>>map(bucket -> () -> node.publish(bucket, bucket))
                .toList());
        assertThat(node.mounts()).as("no mount is made twice").isEqualTo(before);
        assertThat(node.engines()).isEqualTo(engines);
        assertAllServe(buckets);
        allAtOnce(buckets.stream()
                .<Callable<String>>map(bucket -> () -> {
                    node.unpublish(bucket, bucket);
                    return bucket;
                })
                .toList());
        assertNothingIsLeft();
    }

    private void assertAllServe(List<String> buckets) throws IOException {
        for (String bucket : buckets) {
            assertThat(greeting(node.target(bucket))).isEqualTo(bucket);
        }
    }

    @Test
    void parallelCallsForOneTargetMakeOneMount() throws Exception {
        String bucket = bucket("one-target");
        NodePublishVolumeRequest request = node.request(bucket, "a").build();

        List<Code> answers = allAtOnce(IntStream.range(0, CALLS)
                .<Callable<Code>>mapToObj(_ -> () -> answer(request))
                .toList());

        assertThat(answers).contains(Code.OK).containsOnly(Code.OK, Code.ABORTED);
        assertThat(node.engines()).hasSize(1);
        assertThat(node.mounts()).as("one source, one target").hasSize(2);
        assertThat(greeting(node.target("a"))).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void parallelCallsForManyTargetsOfOneVolumeShareOneMount() throws Exception {
        String bucket = bucket("many-targets");

        List<Path> targets = allAtOnce(IntStream.range(0, CALLS)
                .<Callable<Path>>mapToObj(number -> () -> node.publish(bucket, "pod-" + number))
                .toList());

        assertThat(node.engines()).hasSize(1);
        assertThat(node.mounts()).hasSize(1 + CALLS);
        assertThat(node.mounts().stream().map(MountEntry::device).distinct()).hasSize(1);
        for (Path target : targets) {
            assertThat(greeting(target)).isEqualTo(bucket);
        }
        allAtOnce(IntStream.range(0, CALLS)
                .<Callable<Integer>>mapToObj(number -> () -> {
                    node.unpublish(bucket, "pod-" + number);
                    return number;
                })
                .toList());
        assertNothingIsLeft();
    }

    private Code answer(NodePublishVolumeRequest request) {
        try {
            node.node().nodePublishVolume(request);
            return Code.OK;
        } catch (StatusRuntimeException refusal) {
            return refusal.getStatus().getCode();
        }
    }

    private static <T> List<T> allAtOnce(List<Callable<T>> calls) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
            return results;
        }
    }
}
