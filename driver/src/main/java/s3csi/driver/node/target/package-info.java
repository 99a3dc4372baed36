/**
 * The places where workloads see their volumes. Below the target root anybody may swap directories for links, so a target is reached and
 * bound by descriptor ({@code TargetDirectory}); whether something is mounted there is read from the mount table.
 *
 * <p>Knows neither sources nor engines: it binds what it is given.
 */
@NullMarked
package s3csi.driver.node.target;

import org.jspecify.annotations.NullMarked;
