/**
 * The log of both programs: lines of text to standard output or error, a file or syslog.
 *
 * <p>The layout is chosen in one place: {@link s3csi.mounter.log.MountLog#start} replaces the JSON lines on standard error that every
 * program of ours begins with.
 *
 * <p>The log is bounded, whatever users do: {@link s3csi.mounter.log.FloodGate} in lines of a kind, {@link s3csi.mounter.log.BoundedFile} in bytes.
 */
@NullMarked
package s3csi.mounter.log;

import org.jspecify.annotations.NullMarked;
