package s3csi.provisioner.model;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import s3csi.volume.Printable;

/** The parameters of a StorageClass: some are for whoever provisions, the others for the driver. */
final class ClassParameters {
    /** What begins with this is for the provisioner, and never reaches the driver. */
    static final String RESERVED = "csi.storage.k8s.io/";

    /** The Secret for every use that has none of its own. */
    static final String ANY_SECRET_NAME = RESERVED + "secret-name";

    static final String ANY_SECRET_NAMESPACE = RESERVED + "secret-namespace";

    private static final String FILE_SYSTEM = RESERVED + "fstype";

    /** What csi-provisioner knows, also where it means nothing to this driver: a class must not work with one of them only. */
    private static final Set<String> KNOWN = Set.of(
            FILE_SYSTEM,
            ANY_SECRET_NAME,
            ANY_SECRET_NAMESPACE,
            RESERVED + "provisioner-secret-name",
            RESERVED + "provisioner-secret-namespace",
            RESERVED + "node-publish-secret-name",
            RESERVED + "node-publish-secret-namespace",
            RESERVED + "controller-publish-secret-name",
            RESERVED + "controller-publish-secret-namespace",
            RESERVED + "node-stage-secret-name",
            RESERVED + "node-stage-secret-namespace",
            RESERVED + "controller-expand-secret-name",
            RESERVED + "controller-expand-secret-namespace",
            RESERVED + "node-expand-secret-name",
            RESERVED + "node-expand-secret-namespace");

    private ClassParameters() {}

    /**
     * What the driver is given.
     *
     * @throws Unusable if there is a reserved one that nobody knows, such as one with a typing error
     */
    static Map<String, String> forDriver(Map<String, String> parameters) {
        Map<String, String> given = new TreeMap<>();
        parameters.forEach((key, value) -> {
            if (!key.startsWith(RESERVED)) {
                given.put(key, value);
            } else if (!KNOWN.contains(key)) {
                throw new Unusable("the StorageClass has the parameter " + Printable.quoted(key)
                        + ", which means nothing. Correct the spelling in a StorageClass made anew");
            }
        });
        return given;
    }

    /** Empty where the class names none. */
    static String fileSystem(Map<String, String> parameters) {
        return parameters.getOrDefault(FILE_SYSTEM, "");
    }
}
