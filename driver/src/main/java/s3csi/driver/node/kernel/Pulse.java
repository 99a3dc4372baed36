package s3csi.driver.node.kernel;

import s3csi.linux.FileSystemStatus;

/** What comes back when a mount is asked for its statistics, which no cache answers. */
public sealed interface Pulse {
    record Alive(FileSystemStatus status) implements Pulse {}

    /** Nobody serves it any more. */
    record Dead(String problem) implements Pulse {}

    /** No answer in time: the engine is stopped or starved, or has not begun. */
    record Silent() implements Pulse {}
}
