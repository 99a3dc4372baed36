/** What test collections of other people find, and we accept: lists in the resources, each line with its reason. */
@NullMarked
package s3csi.testbed.accepted;

import org.jspecify.annotations.NullMarked;
