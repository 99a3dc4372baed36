/**
 * What is to become of a claim and of a PersistentVolume, as pure functions of what they and their StorageClass say.
 *
 * <p>All names here are those of Kubernetes and of csi-provisioner: objects outlive the program that made them.
 */
@NullMarked
package s3csi.provisioner.model;

import org.jspecify.annotations.NullMarked;
