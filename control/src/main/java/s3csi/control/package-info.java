/**
 * What every loop needs that keeps something in a cluster in order, whatever that is: a {@link s3csi.control.WorkQueue} that gives nothing to
 * two threads, a {@link s3csi.control.ReconcileLoop} that tries again what fails, {@link s3csi.control.Leadership} that says who may write,
 * Events in plain words ({@link s3csi.control.Announcements}, {@link s3csi.control.CountedEvents}), and a store for informers that keeps
 * little ({@link s3csi.control.ReducedStore}).
 *
 * <p>Nothing here knows what is kept in order. The queue's lock is never held while anything is asked of the API server.
 */
@NullMarked
package s3csi.control;

import org.jspecify.annotations.NullMarked;
