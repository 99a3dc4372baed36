package s3csi.s3.credentials;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first source that yields. Sources that yield nothing at first are asked again later: a file may appear after we started.
 * Once one has yielded it is kept, so that a passing trouble with it does not silently change who we are.
 */
public final class CredentialsChain implements CredentialsSource {
    private final List<CredentialsSource> sources;
    private volatile @Nullable CredentialsSource chosen;

    public CredentialsChain(List<CredentialsSource> sources) {
        this.sources = List.copyOf(sources);
    }

    @Override
    public Credentials current() throws CredentialsException {
        return current(null);
    }

    @Override
    public Credentials current(@Nullable Duration within) throws CredentialsException {
        CredentialsSource kept = chosen;
        if (kept != null) {
            return kept.current(within);
        }
        StringBuilder troubles = new StringBuilder();
        for (CredentialsSource source : sources) {
            try {
                Credentials found = source.current(within);
                chosen = source;
                return found;
            } catch (CredentialsException e) {
                troubles.append(troubles.isEmpty() ? "" : "; ").append(e.getMessage());
            }
        }
        throw new CredentialsException("no credentials found: " + troubles
                + "; give keys in one of these places, or ask for unsigned requests");
    }

    /** The source that is in use, or would be now. */
    @Override
    public String toString() {
        CredentialsSource kept = chosen;
        if (kept != null) {
            return kept.toString();
        }
        return sources.stream()
                .filter(CredentialsSource::isOffered)
                .findFirst()
                .map(CredentialsSource::toString)
                .orElse("nowhere");
    }

    @Override
    public void rejected(Credentials credentials) {
        CredentialsSource kept = chosen;
        if (kept != null) {
            kept.rejected(credentials);
        }
    }

    @Override
    public void suspected(Credentials credentials) {
        CredentialsSource kept = chosen;
        if (kept != null) {
            kept.suspected(credentials);
        }
    }
}
