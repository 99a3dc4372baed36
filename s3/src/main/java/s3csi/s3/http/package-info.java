/**
 * HTTP/1.1 over blocking NIO sockets, for virtual threads and for bodies that land in the caller's native memory. It knows
 * nothing of S3.
 *
 * <p>Layers, from below: {@link s3csi.s3.http.Wire} moves bytes, in the clear or by TLS; {@link s3csi.s3.http.HttpConnection}
 * frames messages on it; {@link s3csi.s3.http.HttpClient} keeps connections to one origin and hands them out.
 *
 * <p>A connection's buffers are allocated once and never larger than a few TLS records. In the clear, body bytes go from the
 * socket into the reader's buffer; only what arrived together with the head is copied. With TLS, records are decrypted in a fixed
 * array and copied out once, by the JDK. A blocking socket call has no timeout of its
 * own: the {@link s3csi.s3.http.Watchdog} closes the connections whose deadline has passed, which ends the call.
 */
@NullMarked
package s3csi.s3.http;

import org.jspecify.annotations.NullMarked;
