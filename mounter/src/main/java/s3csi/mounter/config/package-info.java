/** What a mount shall be: values only, complete and checked, whatever they were read from. */
@NullMarked
package s3csi.mounter.config;

import org.jspecify.annotations.NullMarked;
