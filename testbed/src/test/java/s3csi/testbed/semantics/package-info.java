/**
 * What users are told about the file system, and what they do with it, on a bucket of a real store mounted by {@code mount-s3} as
 * built.
 *
 * <p>{@code docs/semantics.md} is a script: {@link s3csi.testbed.semantics.Page} reads it and
 * {@link s3csi.testbed.semantics.SemanticsPageContract} runs every block of it. All scripts run in a
 * {@link s3csi.testbed.semantics.Sandbox}, whose mounts and processes end with it.
 */
@NullMarked
package s3csi.testbed.semantics;

import org.jspecify.annotations.NullMarked;
