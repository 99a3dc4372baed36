/**
 * What every program of ours needs to be one: its release, its log lines and the way it is started.
 *
 * <p>Nothing here knows CSI, Kubernetes or S3. Logs go to standard error, one JSON object a line, with the keys that readers
 * of Kubernetes components know ({@code ts}, {@code v}, {@code caller}, {@code msg}, {@code err}).
 */
@NullMarked
package s3csi.program;

import org.jspecify.annotations.NullMarked;
