package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What users read is what was run: every command of the pages for clusters, by a shell, one after the other. */
@Isolated("the driver is removed for a while")
class DocsE2eTest extends ClusterStage {
    private final Terminal terminal = new Terminal(cluster);

    /** The driver is removed by the one page and installed by the other, as a user would; afterwards it is there again. */
    @Test
    void uninstallingAndTheQuickStart() {
        run("uninstalling");
        assertThat(terminal.run("kubectl get csidrivers --output name")).isEmpty();
        String printed = run("quick-start");
        assertThat(printed).contains("hello");
        assertThat(terminal.run("kubectl get pods --all-namespaces --selector app=s3-csi-node --output name"))
                .contains("s3-csi-node");
    }

    @Test
    void credentials() {
        assertThat(run("credentials")).contains("secret/s3-secret");
    }

    @Test
    void operations() {
        String bucket = bucket("seen");
        staticVolume(bucket);
        runningWorkload("app", bucket);
        assertThat(run("operations")).contains(cluster.mountpointPods(bucket).getFirst(), bucket);
    }

    private String run(String page) {
        PageScript script = PageScript.of(Path.of("..", "docs", page + ".md"));
        assertThat(script.commands()).isNotEmpty();
        return terminal.run(script.script());
    }
}
