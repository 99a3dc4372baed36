@NullMarked
package s3csi.mounter.metrics.otlp;

import org.jspecify.annotations.NullMarked;
