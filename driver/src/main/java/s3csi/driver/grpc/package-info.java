/** How calls arrive and answers leave: the socket, the log line and metrics of each call, the status codes. */
@NullMarked
package s3csi.driver.grpc;

import org.jspecify.annotations.NullMarked;
