/** Benchmarks: what is measured, how often, and the bars that must hold. */
@NullMarked
package s3csi.testbed.bench;

import org.jspecify.annotations.NullMarked;
