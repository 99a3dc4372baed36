package s3csi.testbed.bench.engine;

/** What one turn does, to tell its speed by. */
record Work(double amount, String unit) {
    static Work mebibytes(long bytes) {
        return new Work(bytes / (double) (1 << 20), "MiB");
    }

    /** Gibibytes moved; none where bytes are not the point. */
    double gibibytes() {
        return unit.equals("MiB") ? amount / 1024 : 0;
    }
}
