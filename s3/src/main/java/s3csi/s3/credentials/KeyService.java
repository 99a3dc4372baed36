package s3csi.s3.credentials;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.http.HttpClient;
import s3csi.s3.http.Origin;
import s3csi.s3.http.ProxySettings;
import s3csi.s3.http.Timeouts;
import s3csi.s3.http.Trust;
import s3csi.s3.http.TrustException;

/**
 * A service that gives keys over HTTP. It is asked once in a while: each time on a connection of its own, never through a proxy. What
 * may pass, it is asked again a few times: everybody waits for the keys.
 */
record KeyService(Origin origin, Trust trust) {
    private static final Logger LOG = LoggerFactory.getLogger(KeyService.class);
    private static final int MOST_ATTEMPTS = 4;

    /** No attempt begins later; so a service that says nothing is waited for once, and a busy one to the last attempt. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    /** Such services answer in milliseconds; one that needs more than this is in trouble. */
    private static final Timeouts TIMEOUTS =
            new Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1));

    private static final long FIRST_PAUSE_MILLIS = 100;

    /** What is asked, from the request to the last byte of the answer. */
    interface Question<T> {
        /**
         * Asks it once.
         *
         * @throws Busy if the answer was that there is none for now
         */
        T ask(HttpClient client) throws IOException, CredentialsException;
    }

    /** The service has no answer for now. */
    static final class Busy extends IOException {
        /** @param answer status and code, as the service said them */
        Busy(String answer) {
            super("it is busy (" + answer + ")");
        }

        static boolean isStatus(int status) {
            return switch (status) {
                case 408, 429, 500, 502, 503, 504 -> true;
                default -> false;
            };
        }
    }

    <T> T ask(Question<T> question) throws IOException, CredentialsException {
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try (HttpClient client = new HttpClient(origin, trust, ProxySettings.NONE, TIMEOUTS, 1)) {
                return question.ask(client);
            } catch (IOException e) {
                if (!mayPass(e) || attempt == MOST_ATTEMPTS || System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
                LOG.debug("{} is asked for keys again: {}", origin, e.getMessage());
            }
            pause(FIRST_PAUSE_MILLIS << (2 * (attempt - 1)));
        }
    }

    private static boolean mayPass(IOException e) {
        return switch (e) {
            case TrustException _, SSLException _, ProtocolException _ -> false;
            default -> !Thread.currentThread().isInterrupted();
        };
    }

    private static void pause(long millis) throws InterruptedIOException {
        try {
            // Many mounts may have begun to wait in the same moment.
            Thread.sleep(ThreadLocalRandom.current().nextLong(millis / 2, millis * 3 / 2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a busy service");
        }
    }
}
