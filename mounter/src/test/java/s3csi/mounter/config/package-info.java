@NullMarked
package s3csi.mounter.config;

import org.jspecify.annotations.NullMarked;
