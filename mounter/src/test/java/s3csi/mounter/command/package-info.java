@NullMarked
package s3csi.mounter.command;

import org.jspecify.annotations.NullMarked;
