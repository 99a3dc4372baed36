/**
 * The same random sequences of file operations on two mounts: one of ours and one of Mountpoint's published crates. Their
 * results must be the same, or the difference must be a row of {@code docs/differences.md}.
 */
@NullMarked
package s3csi.testbed.differential;

import org.jspecify.annotations.NullMarked;
