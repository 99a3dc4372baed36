package s3csi.mounter.command;

/** The command line is wrong. Scripts know it by exit code 2. */
public final class UsageError extends Exception {
    private final String tip;

    public UsageError(String message) {
        this(message, "");
    }

    public UsageError(String message, String tip) {
        super(message);
        this.tip = tip;
    }

    static UsageError badValue(Option option, String value, String why) {
        return new UsageError("invalid value '" + value + "' for '" + option.usage() + "': " + why);
    }

    /** The same for the author of a volume, who wrote mountOptions and no command line. */
    public String reportForVolume() {
        return "Error: the mountOptions of the volume cannot be used: " + getMessage()
                + (tip.isEmpty() ? "" : "; " + tip) + "\n";
    }

    /** All that is printed. */
    public String report() {
        return "error: " + getMessage() + "\n\n"
                + (tip.isEmpty() ? "" : "  tip: " + tip + "\n\n")
                + "Usage: " + HelpText.USAGE + "\n\nFor more information, try '--help'.\n";
    }
}
