/**
 * Listings of directories.
 *
 * <p>A {@link s3csi.filesystem.directory.DirectoryHandle} is one open directory. It holds the page being read, the one fetched ahead of it
 * and the names of its last answer, however large the directory is. Pages are on the heap, so only some directories have any at a time; the
 * others wait for their {@link s3csi.filesystem.directory.Turns turn}.
 *
 * <p><b>Threads.</b> Each page is fetched on a virtual thread of its own while the one before it is read. Device threads answer from what is there;
 * waiting for a page is for virtual threads, and an interrupt ends the wait, not the fetch.
 *
 * <p><b>Lock order.</b> The lock of a handle, held while a page is waited for; then the monitors of the fetch or of the inode table.
 */
@NullMarked
package s3csi.filesystem.directory;

import org.jspecify.annotations.NullMarked;
