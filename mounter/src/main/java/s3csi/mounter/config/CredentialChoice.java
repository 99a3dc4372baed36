package s3csi.mounter.config;

/** Where the keys come from. */
public sealed interface CredentialChoice {
    /** Requests go out unsigned. */
    record Anonymous() implements CredentialChoice {}

    /** This profile of the shared files and nothing else. */
    record Profile(String name) implements CredentialChoice {}

    /** Environment, profile, web identity, container: the first that yields. */
    record DefaultChain() implements CredentialChoice {}
}
