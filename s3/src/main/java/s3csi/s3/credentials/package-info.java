/**
 * Where the keys come from. Everything is read from an environment that is given as a map and from what that names: files, a command
 * of a profile, a token service, a service of the container; never from the environment of this process, and never from an instance
 * metadata service. What a profile says is read into {@link s3csi.s3.credentials.ProfileKeys} first, and asked for afterwards.
 *
 * <p>Files are looked at again (size, time, inode) at every request and read again when they changed. No secret appears in a
 * message, a log line or a {@code toString}.
 */
@NullMarked
package s3csi.s3.credentials;

import org.jspecify.annotations.NullMarked;
