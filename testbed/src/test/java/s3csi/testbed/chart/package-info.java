/** The Helm chart: what it renders and refuses, what an API server says to it, and its hooks. */
@NullMarked
package s3csi.testbed.chart;

import org.jspecify.annotations.NullMarked;
