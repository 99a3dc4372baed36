package s3csi.testbed.differential;

/** The first step of a sequence at which the two sides part. */
record Divergence(int step, String verb, String action, Result ours, Result theirs) {
    /** As a row of the document would begin. */
    String key() {
        return "`%s: %s → %s`".formatted(verb, theirs.kind(), oursInShort());
    }

    /** Where both come to the same but have seen different things, ours is {@code other}. */
    String oursInShort() {
        return ours.kind().equals(theirs.kind()) ? "other" : ours.kind();
    }

    /** After two different errors nothing has happened on either side, and the sequence can go on. */
    boolean leavesNoTrace() {
        return !ours.kind().equals("ok") && !theirs.kind().equals("ok");
    }
}
