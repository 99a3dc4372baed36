package s3csi.testbed.architecture;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The modules and what each is built on; that brings along what those are built on. */
enum Module {
    /** Generated stubs only. */
    CSI_PROTO,
    /** What every program needs: its version, log lines, exit codes. */
    PROGRAM,
    /** What kubelet and Prometheus ask of it. */
    HEALTH,
    LINUX,
    VOLUME,
    /** What the node service and the reconciler share. */
    KUBERNETES,
    /** What every loop needs that keeps a cluster in order. */
    CONTROL,
    /** From claims to PersistentVolumes. */
    PROVISIONER,
    S3,
    FUSE,
    FILESYSTEM,
    MOUNTER,
    DRIVER,
    RECONCILER,
    TESTBED;

    String directory() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Stream<String> packages() {
        return this == CSI_PROTO
                ? Stream.of("s3csi.csi..", "s3csi.registration..")
                : Stream.of("s3csi." + directory() + "..");
    }

    /** The packages of several modules, in the form that rules take. */
    static String[] packagesOf(Module... modules) {
        return Arrays.stream(modules).flatMap(Module::packages).toArray(String[]::new);
    }

    private List<Module> basis() {
        return switch (this) {
            case CSI_PROTO, PROGRAM, LINUX, VOLUME, S3 -> List.of();
            case HEALTH -> List.of(PROGRAM);
            case KUBERNETES -> List.of(VOLUME);
            case FUSE -> List.of(LINUX);
            case FILESYSTEM -> List.of(FUSE, S3);
            case MOUNTER -> List.of(FILESYSTEM, VOLUME, PROGRAM);
            case DRIVER -> List.of(CSI_PROTO, LINUX, KUBERNETES, HEALTH);
            case CONTROL -> List.of(KUBERNETES, HEALTH);
            case PROVISIONER -> List.of(CONTROL, CSI_PROTO);
            // Which stubs of CSI come with it, none of its classes may see: a rule of its own says so.
            case RECONCILER -> List.of(CONTROL, PROVISIONER);
            case TESTBED -> List.of(MOUNTER, DRIVER, RECONCILER);
        };
    }

    /** All that the module must not know, itself of course left out. */
    Module[] mustNotSee() {
        Set<Module> seen = new HashSet<>();
        collect(seen);
        return Arrays.stream(values()).filter(module -> !seen.contains(module)).toArray(Module[]::new);
    }

    private void collect(Set<Module> seen) {
        if (seen.add(this)) {
            basis().forEach(module -> module.collect(seen));
        }
    }
}
