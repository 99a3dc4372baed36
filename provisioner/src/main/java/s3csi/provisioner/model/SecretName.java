package s3csi.provisioner.model;

/** A Secret, by its place in the cluster. */
public record SecretName(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
