/**
 * What the node service and the reconciler must agree on in a cluster: the attachment and its definition, the labels and annotations of
 * Mountpoint Pods, and how a program of ours talks to the API server.
 *
 * <p>All names here are those of releases 2.x, because objects outlive the release that made them: a node of one release reads what the
 * controller of another wrote. Everything but {@link s3csi.kubernetes.Cluster} is a value or a pure function; nothing here watches or
 * writes.
 */
@NullMarked
package s3csi.kubernetes;

import org.jspecify.annotations.NullMarked;
