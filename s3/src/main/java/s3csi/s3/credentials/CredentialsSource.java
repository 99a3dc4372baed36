package s3csi.s3.credentials;

/** Something that yields credentials. Asked before every request, from many threads, so the usual answer comes from memory. */
public interface CredentialsSource {
    /** The credentials to use now. */
    Credentials current() throws CredentialsException;

    /**
     * The store did not accept these; look again now, whatever a cache says. {@link #current()} may yield others afterwards.
     */
    default void rejected(Credentials credentials) {}

    /** Requests go out unsigned. */
    static CredentialsSource anonymous() {
        return () -> Credentials.ANONYMOUS;
    }

    /** Keys that never change. */
    static CredentialsSource fixed(Credentials.Keys keys) {
        return () -> keys;
    }
}
