/**
 * The {@link s3csi.s3.ObjectStore} that speaks S3 over HTTP.
 *
 * <p>A request is a {@link s3csi.s3.client.Call}: it says what to send, attempt by attempt, and what to make of a good answer.
 * {@link s3csi.s3.client.RequestRunner} does the rest for all of them alike: credentials, signature, retries, clock, region. Whether the
 * store is away is known in one place, {@link s3csi.s3.client.StoreGate}; whether a write took effect whose answer was lost is decided in
 * one, {@link s3csi.s3.client.LostAnswers}.
 *
 * <p>Threads: a call runs on the caller's thread. Shared state is small, and lock-free while the store is there, except for the
 * change to another region, which happens once at most. Heap: a request allocates a few kilobytes for its head and signature, never its body.
 */
@NullMarked
package s3csi.s3.client;

import org.jspecify.annotations.NullMarked;
