package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void aMountpointPodIsNamedAsInEarlierReleases() {
        assertThat(Names.mountpointPod(new Workload("a4509011-bd2a-4f37-b1b0-05d715087852", "test-vol"), 0))
                .isEqualTo("mp-55f7d2331f3149f00d62d7af839d4cee895e1c68a2f0d96ffd359f79");
    }

    @Test
    void aMountpointPodInThePlaceOfAnotherHasANameOfItsOwn() {
        Workload workload = new Workload("u", "pv");
        String first = Names.mountpointPod(workload, 0);
        String second = Names.mountpointPod(workload, 1);
        assertThat(List.of(first, second, Names.mountpointPod(workload, 2))).doesNotHaveDuplicates();
        assertThat(second).matches("mp-[0-9a-f]{56}").isEqualTo(Names.mountpointPod(workload, 1));
    }

    @Test
    void aSourceIsNamedAfterAllItsFacts() {
        String name = Names.source(List.of("a", "bc"));
        assertThat(name).matches("mp-[0-9a-f]{56}").isEqualTo(Names.source(List.of("a", "bc")));
        assertThat(name).isNotEqualTo(Names.source(List.of("ab", "c")));
        assertThat(name).isNotEqualTo(Names.source(List.of("a", "b", "c")));
    }

    @Test
    void pathsAreThoseOfEarlierReleases() {
        KubeletPaths paths = new KubeletPaths("/var/lib/kubelet/");
        assertThat(paths.source("mp-1")).isEqualTo("/var/lib/kubelet/plugins/s3.csi.scality.com/mnt/mp-1");
        assertThat(paths.comm("uid")).isEqualTo("/var/lib/kubelet/pods/uid/volumes/kubernetes.io~empty-dir/comm");
        assertThat(paths.pods()).isEqualTo("/var/lib/kubelet/pods");
    }
}
