package s3csi.volume;

/** A pod, as Kubernetes names it. */
public record PodReference(String namespace, String name, String uid) {}
