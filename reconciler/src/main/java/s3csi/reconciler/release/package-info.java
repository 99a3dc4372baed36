/**
 * What is done once for a whole release, before a chart installs or removes the rest of it: the definition of attachments, and an end of all
 * mounts that breaks none in use. Nothing here runs beside itself, and the controller may run all the while; what is asked of the API server is
 * asked again after an interruption without harm.
 */
@NullMarked
package s3csi.reconciler.release;

import org.jspecify.annotations.NullMarked;
