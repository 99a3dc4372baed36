package s3csi.mounter.command;

/** The headings of the help. */
enum Section {
    GENERAL("Options"),
    BUCKET("Bucket options"),
    CREDENTIALS("AWS credentials options"),
    MOUNT("Mount options"),
    CLIENT("Client options"),
    LOGGING("Logging and metrics options"),
    CACHING("Caching options"),
    ADVANCED("Advanced options");

    final String title;

    Section(String title) {
        this.title = title;
    }
}
