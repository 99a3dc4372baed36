package s3csi.testbed.bench.engine;

/** What is compared. */
enum Quantity {
    SPEED("speed"),
    SECONDS("seconds"),
    CPU("CPU"),
    MEMORY("memory");

    private final String label;

    Quantity(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** The measured value; a speed is per second of the same work, so its unit cancels out. */
    double of(Measurement measurement) {
        return switch (this) {
            case SPEED -> 1 / measurement.seconds();
            case SECONDS -> measurement.seconds();
            case CPU -> measurement.cpuSeconds();
            case MEMORY -> measurement.megabytes();
        };
    }

    boolean moreIsBetter() {
        return this == SPEED;
    }
}
