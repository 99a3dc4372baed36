/** Training runs: what a program loads and links while it works is kept in its AOT cache, and later starts are faster. */
@NullMarked
package s3csi.testbed.training;

import org.jspecify.annotations.NullMarked;
