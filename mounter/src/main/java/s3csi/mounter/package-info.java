/**
 * The programs that serve a mount: {@code mount-s3} here, the mounter of the pods in {@code pod}.
 *
 * <p>A start reads: command line ({@code command}) → settings ({@code config}) → log ({@code log}) → mount point, store, file system,
 * session ({@code mount}). The environment is always a map that is passed along; nothing below a {@code main} looks at that of the
 * process, so that several mounts can live in one JVM.
 */
@NullMarked
package s3csi.mounter;

import org.jspecify.annotations.NullMarked;
