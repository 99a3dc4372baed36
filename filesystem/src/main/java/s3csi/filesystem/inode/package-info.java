/**
 * Names, numbers and versions: which inode number stands for which version of which object, and for how long that is believed.
 *
 * <p><b>Ownership.</b> {@link s3csi.filesystem.inode.InodeTable} owns all inodes. Their mutable fields are guarded by its monitor. Numbers
 * never change; name, parent and key do only for a file that the store does not know, and whoever writes it holds the lock
 * of the handle meanwhile. So they are settled for whatever is stored.
 *
 * <p><b>Threads.</b> Everything of the table answers at once and may be called on device threads. {@link s3csi.filesystem.inode.NameProbes} waits
 * for the store and must not be.
 *
 * <p><b>Lock order.</b> The table's monitor is the innermost lock: nobody waits, calls the store or answers a request while
 * holding it.
 */
@NullMarked
package s3csi.filesystem.inode;

import org.jspecify.annotations.NullMarked;
