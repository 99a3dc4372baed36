/**
 * The command line of {@code mount-s3}: from arguments and environment to a {@link s3csi.mounter.config.MountConfig}.
 *
 * <p>{@link s3csi.mounter.command.Option} is the one list of options; parser, help and documentation are held to it. The parser is
 * our own: its messages must read like those of mount-s3, the fstab form must be translated anyway, and the start of a mount should not
 * wait for reflection over annotations.
 */
@NullMarked
package s3csi.mounter.command;

import org.jspecify.annotations.NullMarked;
