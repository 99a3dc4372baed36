package s3csi.testbed.bench.engine;

/** What lies between the engine and the store. */
enum Medium {
    /** Plain HTTP on loopback. */
    PLAIN,
    /** Plain HTTP, every request 20 ms late. */
    LATE,
    TLS
}
