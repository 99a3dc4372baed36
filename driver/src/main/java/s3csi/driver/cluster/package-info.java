/**
 * The API server, as a node needs it: two small watches, a look at an object, an Event.
 *
 * <p>The client library of the controller would cost 46 MB more memory on every node for that (docs/decisions/0006), so this is JSON over the JDK's own HTTP
 * connections. {@code WatchedList} keeps what a list says up to date on a thread of its own, through every kind of outage; whoever asks
 * looks at memory, and waits for the next {@code Changes}.
 */
@NullMarked
package s3csi.driver.cluster;

import org.jspecify.annotations.NullMarked;
