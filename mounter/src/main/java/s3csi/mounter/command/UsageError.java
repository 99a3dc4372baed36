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

    /** All that is printed. */
    public String report() {
        return "error: " + getMessage() + "\n\n"
                + (tip.isEmpty() ? "" : "  tip: " + tip + "\n\n")
                + "Usage: " + HelpText.USAGE + "\n\nFor more information, try '--help'.\n";
    }
}
