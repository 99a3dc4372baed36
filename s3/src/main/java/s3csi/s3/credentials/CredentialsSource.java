package s3csi.s3.credentials;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that yields credentials. Asked before every request, from many threads, so the usual answer comes from memory. */
public interface CredentialsSource {
    /** The credentials to use now. */
    Credentials current() throws CredentialsException;

    /**
     * The same for somebody who cannot wait for long.
     *
     * @param within how long to wait for keys that have to be fetched; null for as long as it takes
     */
    default Credentials current(@Nullable Duration within) throws CredentialsException {
        return current();
    }

    /**
     * The store did not accept these; look again now, whatever a cache says. {@link #current()} may yield others afterwards.
     */
    default void rejected(Credentials credentials) {}

    /**
     * The store refused a request with these and did not say why; perhaps they ended before their time. Sources that can get others
     * get them, but not for every refusal.
     */
    default void suspected(Credentials credentials) {}

    /** Whether its place holds keys or a way to them, as far as that shows without asking a command or a service. */
    default boolean isOffered() {
        return true;
    }

    /** Requests go out unsigned. */
    static CredentialsSource anonymous() {
        return new CredentialsSource() {
            @Override
            public Credentials current() {
                return Credentials.ANONYMOUS;
            }

            @Override
            public String toString() {
                return "nowhere, requests are unsigned";
            }
        };
    }

    /** Keys that never change. */
    static CredentialsSource fixed(Credentials.Keys keys) {
        return () -> keys;
    }
}
