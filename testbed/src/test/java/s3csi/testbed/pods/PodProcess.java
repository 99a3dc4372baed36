package s3csi.testbed.pods;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.ChildProcess;

/**
 * The container of a Mountpoint Pod: a root of its own in which the comm directory is {@code /comm}, a user without rights, and none of the
 * node's mounts. A mount that such a container saw would live on in it when the node has unmounted.
 */
final class PodProcess {
    private static final String CONTAINER = """
            set -e
            root=$1 comm=$2
            shift 2
            mount -t tmpfs none "$root"
            for entry in /*; do
                if [ -L "$entry" ]; then cp -P "$entry" "$root$entry"
                elif [ -d "$entry" ]; then mkdir "$root$entry"; mount --bind "$entry" "$root$entry"
                fi
            done
            mkdir "$root/comm" "$root/.old"
            mount --bind "$comm" "$root/comm"
            cd "$root"
            pivot_root . .old
            umount -l /.old
            exec setpriv --reuid 1000 --regid 1000 --groups 1000 --no-new-privs --bounding-set -all -- "$@"
            """;

    private PodProcess() {}

    static ChildProcess start(Path root, Path comm, Path log, List<String> program) {
        List<String> line = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                CONTAINER,
                "pod",
                root.toString(),
                comm.toString()));
        line.addAll(program);
        return ChildProcess.start(line, Map.of("LANG", "C.UTF-8"), log);
    }
}
