/**
 * The log of both programs: lines of text to standard output or error, a file or syslog.
 *
 * <p>The layout is chosen in one place: {@link s3csi.mounter.log.MountLog#start} replaces the JSON lines on standard error that every
 * program of ours begins with.
 */
@NullMarked
package s3csi.mounter.log;

import org.jspecify.annotations.NullMarked;
