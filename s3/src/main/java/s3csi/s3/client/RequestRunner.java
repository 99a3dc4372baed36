package s3csi.s3.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.Quoted;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.client.AttemptFailure.Remedy;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.credentials.CredentialsException;

/**
 * Runs calls to their end: attempt after attempt, with what can be repaired in between. Clock, keys and region are each repaired
 * once per call, without waiting; what passes by itself is tried again by the {@link RetryPolicy}.
 */
final class RequestRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);

    private final HttpStoreOptions options;
    private final Router router;
    private final Dispatcher dispatcher;
    private final RetryPolicy policy;

    RequestRunner(HttpStoreOptions options, Router router, Dispatcher dispatcher) {
        this.options = options;
        this.router = router;
        this.dispatcher = dispatcher;
        this.policy = new RetryPolicy(options.attempts, options.random, options.sleeper);
    }

    <T> T run(Call<T> call) throws StoreException {
        return new Run<>(call, policy).toEnd();
    }

    /** Without retries: for a look that is worth having but not worth waiting for. */
    <T> T runOnce(Call<T> call) throws StoreException {
        return new Run<>(call, new RetryPolicy(1, options.random, options.sleeper)).toEnd();
    }

    /** One call on its way. */
    private final class Run<T> {
        private final Call<T> call;
        private final RetryPolicy policy;
        private int attempts;
        private boolean busy;
        private boolean mayHaveTakenEffect;
        private boolean clockCorrected;
        private boolean credentialsRenewed;
        private boolean regionLearnt;

        Run(Call<T> call, RetryPolicy policy) {
            this.call = call;
            this.policy = policy;
        }

        T toEnd() throws StoreException {
            while (true) {
                Router.Route route = router.route();
                Credentials credentials = null;
                AttemptFailure failure;
                try {
                    credentials = options.credentials.current();
                    attempts++;
                    T result = dispatcher.attempt(call, route, credentials);
                    policy.succeeded(attempts, busy);
                    return result;
                } catch (CredentialsException e) {
                    failure = Dispatcher.noCredentials(e);
                } catch (AttemptFailure e) {
                    failure = e;
                }
                if (!goesOn(failure, route, credentials)) {
                    return fail(failure);
                }
            }
        }

        private boolean goesOn(AttemptFailure failure, Router.Route route, @Nullable Credentials credentials)
                throws StoreException {
            return switch (failure.remedy()) {
                case NONE -> false;
                case RETRY -> retry(failure, false);
                case RETRY_BUSY -> retry(failure, true);
                case CORRECT_CLOCK -> {
                    boolean first = !clockCorrected;
                    clockCorrected = true;
                    yield first && correctClock(failure);
                }
                case RENEW_CREDENTIALS -> {
                    boolean first = !credentialsRenewed;
                    credentialsRenewed = true;
                    yield first && credentials != null && renewed(credentials);
                }
                case SWITCH_REGION -> {
                    boolean first = !regionLearnt;
                    regionLearnt = true;
                    String region = failure.answer().region();
                    yield first && region != null && router.learn(region, route);
                }
            };
        }

        private boolean correctClock(AttemptFailure failure) {
            boolean corrected = dispatcher.correctClock(failure.answer());
            if (corrected) {
                LOG.warn(
                        "this machine's clock and the store's differ by {} s; requests are dated by the store's from now on",
                        dispatcher.clockOffset().toSeconds());
            }
            return corrected;
        }

        private boolean renewed(Credentials credentials) {
            options.credentials.rejected(credentials);
            try {
                return !options.credentials.current().equals(credentials);
            } catch (CredentialsException e) {
                LOG.debug("no other credentials to be had", e);
                return false;
            }
        }

        private boolean retry(AttemptFailure failure, boolean storeIsBusy) throws StoreException {
            mayHaveTakenEffect = true;
            busy = storeIsBusy;
            if (call.hasProgressed() && !storeIsBusy) {
                attempts = 0;
                options.observer.retried(call.operation(), failure.reason(), Duration.ZERO);
                return true;
            }
            Duration wait = policy.wait(attempts);
            if (isTooLong(wait) || !policy.permits(attempts, storeIsBusy)) {
                return false;
            }
            options.observer.retried(call.operation(), failure.reason(), wait);
            LOG.debug(
                    "{} of {} is tried again: {}", call.operation().label(), Quoted.text(call.key()), failure.reason());
            try {
                policy.sleep(wait);
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw exception(new AttemptFailure(
                        new StoreFailure.Cancelled(), Remedy.NONE, ErrorAnswer.NONE, "it was cancelled", e));
            }
        }

        private boolean isTooLong(Duration wait) {
            Duration left = call.timeLeft();
            return left != null && wait.compareTo(left) >= 0;
        }

        private T fail(AttemptFailure failure) throws StoreException {
            StoreException exception = exception(failure);
            if (mayHaveTakenEffect) {
                T result = call.recover(exception);
                if (result != null) {
                    return result;
                }
            }
            if (failure.failure() instanceof StoreFailure.Integrity) {
                options.observer.integrityViolated(call.operation());
            }
            throw exception;
        }

        private StoreException exception(AttemptFailure failure) {
            ErrorAnswer answer = failure.answer();
            StringBuilder text = new StringBuilder(call.operation().label());
            if (!call.key().isEmpty()) {
                text.append(" of ").append(Quoted.text(call.key()));
            }
            text.append(" in bucket ")
                    .append(Quoted.text(options.bucket))
                    .append(" failed: ")
                    .append(failure.reason());
            if (failure.failure() instanceof StoreFailure.Forbidden(StoreFailure.Forbidden.Reason reason)
                    && reason == StoreFailure.Forbidden.Reason.ACCESS_DENIED) {
                text.append("; allow ").append(call.operation().permission()).append(" for these credentials");
            }
            if (answer.status() != 0) {
                text.append(" (").append(answer.inShort()).append(')');
            }
            if (attempts > 1) {
                text.append(" after ").append(attempts).append(" attempts");
            }
            return new StoreException(
                    failure.failure(), call.operation(), answer.forCaller(), text.toString(), failure.getCause());
        }
    }
}
