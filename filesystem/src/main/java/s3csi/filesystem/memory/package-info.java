/**
 * The one budget of memory for object bytes and for names, and the buffers it is made of.
 *
 * <p><b>Ownership.</b> A {@link s3csi.filesystem.memory.BufferPool} maps its whole budget once; pages are resident only after they were
 * touched, and go back to the kernel when they stay unused. All buffers have one size: so nothing fragments, the budget is
 * exact, and a file of 4 KiB does not pin a part of 8 MiB. A {@link s3csi.filesystem.memory.Reservation} is a right to buffers and has
 * one owner. A {@link s3csi.filesystem.memory.Buffer} counts its references: one for who took it, one for each who reads it meanwhile.
 *
 * <p><b>Who waits.</b> Reads in the foreground before writes before prefetches. Prefetches never wait, they are refused. The last
 * sixteenth of what is for data is for reads in the foreground alone, so no writer that stopped and no prefetch can stop a read. To
 * wait while holding memory that others wait for would be a deadlock, hence: a read asks for all it needs at once, and files that
 * are written have claims ({@link s3csi.filesystem.write}) which together fit. A writer that has waited long goes before further
 * reads, and reads keep their sixteenth.
 *
 * <p><b>Names.</b> What grows with the number of files, inodes that the kernel knows and blocks on disk, is kept in small
 * {@link s3csi.filesystem.memory.Records} in an eighth of the pool, which data never takes, as names never take from data: neither could be
 * asked to give anything back at once. Names do not wait. Where there is no room the kernel is told to forget, and older blocks go.
 *
 * <p><b>Pressure.</b> Memory that only might be useful is held by {@link s3csi.filesystem.memory.Reclaimer}s, who are asked to let go of
 * it when somebody waits.
 *
 * <p><b>Locks.</b> The lock of the pool is the innermost one: it is held for some instructions, never across a wait, and no code of others
 * runs under it. Reclaimers are called without it, and must not be called by a thread that holds a lock they take.
 */
@NullMarked
package s3csi.filesystem.memory;

import org.jspecify.annotations.NullMarked;
