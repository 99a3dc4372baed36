/**
 * Every system call of the project, by the Foreign Function and Memory API.
 *
 * <p>One class per family of calls, each a {@link s3csi.linux.CFunction}; errno is captured with the call, as anything the JVM does in
 * between may change it.
 *
 * <p><b>Descriptors</b> are plain numbers here only inside this module; outside they are {@link s3csi.linux.Descriptor} or
 * {@link s3csi.linux.FuseDevice} objects with an owner, because a number that was closed may already be somebody else's file.
 *
 * <p><b>Threads.</b> A call that blocks pins the carrier of a virtual thread: calls that may block for long (device reads, accept,
 * waitpid) are for platform threads. Calls that touch a path may block for ever on a mount whose server is gone; who
 * cannot exclude that uses a thread that may be lost, and a deadline.
 */
@NullMarked
package s3csi.linux;

import org.jspecify.annotations.NullMarked;
