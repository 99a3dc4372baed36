package s3csi.s3.credentials;

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
        CredentialsSource kept = chosen;
        if (kept != null) {
            return kept.current();
        }
        StringBuilder troubles = new StringBuilder();
        for (CredentialsSource source : sources) {
            try {
                Credentials found = source.current();
                chosen = source;
                return found;
            } catch (CredentialsException e) {
                troubles.append(troubles.isEmpty() ? "" : "; ").append(e.getMessage());
            }
        }
        throw new CredentialsException("no credentials found: " + troubles
                + "; give keys in one of these places, or ask for unsigned requests");
    }

    @Override
    public void rejected(Credentials credentials) {
        CredentialsSource kept = chosen;
        if (kept != null) {
            kept.rejected(credentials);
        }
    }
}
