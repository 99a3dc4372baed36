/**
 * A source: a FUSE mount outside of every workload, which one engine serves and any number of targets show. Here is what holds wherever
 * the engine runs: how a mount is made and handed over, who it was made for, who uses it, whose turn it is to change it, and the keys in
 * its engine's files.
 *
 * <p>Where a source and its comm directory lie, and how an engine comes and goes, is the business of the mounter that uses these parts.
 * What is in a comm directory is not trusted: the engine may write there.
 */
@NullMarked
package s3csi.driver.node.source;

import org.jspecify.annotations.NullMarked;
