/** The arrows between the modules, checked on the compiled classes. */
@NullMarked
package s3csi.testbed.architecture;

import org.jspecify.annotations.NullMarked;
