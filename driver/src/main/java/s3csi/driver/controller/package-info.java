/** The CSI Controller service: a volume is a bucket, made and deleted here. Every call reads the same way: validate each field, take the volume's turn, work, answer. */
@NullMarked
package s3csi.driver.controller;

import org.jspecify.annotations.NullMarked;
