/**
 * The log of {@code mount-s3}: lines of text to standard output, a file or syslog.
 *
 * <p>The layout is chosen in one place: {@link s3csi.mounter.log.MountLog#start} replaces the JSON lines on standard error that every
 * program of ours begins with. A program that runs in a pod does not call it and keeps them.
 */
@NullMarked
package s3csi.mounter.log;

import org.jspecify.annotations.NullMarked;
