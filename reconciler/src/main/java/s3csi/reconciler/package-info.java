/**
 * {@code scality-csi-controller}: the program that sees to it that every workload with a volume of ours has a Mountpoint Pod. Here is what
 * makes it a program; what it wants is in {@link s3csi.reconciler.model}, how it gets there in {@link s3csi.reconciler.loop}.
 */
@NullMarked
package s3csi.reconciler;

import org.jspecify.annotations.NullMarked;
