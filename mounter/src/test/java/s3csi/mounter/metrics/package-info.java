@NullMarked
package s3csi.mounter.metrics;

import org.jspecify.annotations.NullMarked;
