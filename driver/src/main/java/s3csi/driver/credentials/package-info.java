/** The driver's own keys, which both the controller and the node service use. */
@NullMarked
package s3csi.driver.credentials;

import org.jspecify.annotations.NullMarked;
