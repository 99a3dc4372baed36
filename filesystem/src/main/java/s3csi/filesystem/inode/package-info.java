/**
 * Names, numbers and versions: which inode number stands for which version of which object, and for how long that is believed.
 *
 * <p><b>Ownership.</b> {@link s3csi.filesystem.inode.InodeTable} owns all inodes. Their mutable fields are guarded by its lock, which nobody
 * else takes; only who has a file open is the business of {@link s3csi.filesystem.inode.OpenRules}, under a lock of its own. Numbers
 * never change; name, parent and key do only for a file that the store does not know, and whoever writes it holds the lock
 * of the handle meanwhile. So they are settled for whatever is stored.
 *
 * <p><b>Read or written.</b> A number is never read and written at the same time, because the kernel has one size and one set of pages for
 * it. When a file that somebody may still read is opened for writing, or one that somebody has open for writing is opened for reading, its
 * name gets another number first.
 *
 * <p><b>Memory.</b> What the kernel has seen it refers to until it forgets it, and programs walk over millions of files. Inodes in use are objects;
 * beyond some thousand of these, others rest off the heap ({@code Inodes}, {@code RestingInodes}), in memory of the pool that data may not use
 * meanwhile. When names have as much of it as they may have, or data needs it, {@link s3csi.filesystem.inode.KernelMemory} tells the kernel
 * to forget. So the object of a number may be replaced by another one; the table takes either.
 *
 * <p><b>Threads.</b> Everything of the table answers at once and may be called on device threads. {@link s3csi.filesystem.inode.NameProbes} waits
 * for the store and must not be.
 *
 * <p><b>Lock order.</b> The table's lock is the innermost lock but that of the pool: nobody waits, calls the store or answers a request while
 * holding it.
 */
@NullMarked
package s3csi.filesystem.inode;

import org.jspecify.annotations.NullMarked;
