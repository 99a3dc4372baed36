package s3csi.s3.client;

import java.util.function.Consumer;
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
 * once per call, without waiting; what passes by itself is tried again as the call's {@link Tries} say.
 */
final class RequestRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);

    private final HttpStoreOptions options;
    private final Router router;
    private final CallSender dispatcher;
    private final RetryPolicy policy;
    private final StoreGate gate;
    private final RetryDelay pause;
    private final PatientTries.Limits limits;

    RequestRunner(HttpStoreOptions options, Router router, CallSender dispatcher) {
        this.options = options;
        this.router = router;
        this.dispatcher = dispatcher;
        int attempts = options.attempts.orElse(HttpStoreOptions.DEFAULT_ATTEMPTS);
        this.policy = new RetryPolicy(attempts, options.random, options.sleeper);
        this.gate = new StoreGate(options.bucket, options.patience, options.random, options.observer);
        this.pause = new RetryDelay(PatientTries.SHORTEST_PAUSE, PatientTries.LONGEST_PAUSE, options.random);
        this.limits = new PatientTries.Limits(options.attempts.orElse(Integer.MAX_VALUE), attempts);
    }

    /** Waits for a store that is away as long as the user wants. */
    <T> T run(Call<T> call) throws StoreException {
        return new Run<>(
                        call,
                        options.patience.isZero()
                                ? policy.triesOf(call)
                                : new PatientTries(gate, limits, pause, options.sleeper))
                .toEnd();
    }

    /** For somebody who asks again anyway, and would rather know why it does not work. */
    <T> T runImpatiently(Call<T> call) throws StoreException {
        return new Run<>(call, policy.triesOf(call)).toEnd();
    }

    /** Calls that wait for the store end. */
    @Override
    public void close() {
        gate.close();
    }

    /** One call on its way. */
    private final class Run<T> {
        private final Call<T> call;
        private final Tries tries;
        private boolean mayHaveTakenEffect;
        private boolean clockCorrected;
        private boolean credentialsRenewed;
        private boolean regionLearnt;

        Run(Call<T> call, Tries tries) {
            this.call = call;
            this.tries = tries;
        }

        T toEnd() throws StoreException {
            while (true) {
                Router.Route route = router.route();
                Credentials credentials = null;
                AttemptFailure failure;
                try {
                    credentials = options.credentials.current(call.timeLeft());
                    AttemptFailure refusal = tries.awaitTurn();
                    if (refusal != null) {
                        return fail(refusal);
                    }
                    return dispatcher.attempt(call, route, credentials, tries);
                } catch (CredentialsException e) {
                    failure = CallSender.noCredentials(e);
                } catch (AttemptFailure e) {
                    failure = e;
                    tries.failed(e);
                    mayHaveTakenEffect |= e.leavesDoubt();
                } catch (InterruptedException e) {
                    throw cancelled(e);
                } finally {
                    tries.ended();
                }
                if (failure.failure() instanceof StoreFailure.Timeout) {
                    // The others may lead to the same address, where perhaps nobody is left to say so.
                    route.client().closeIdle();
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
                case RETRY, UNREACHED, BUSY -> retry(failure);
                case CORRECT_CLOCK -> {
                    boolean first = !clockCorrected;
                    clockCorrected = true;
                    yield first && correctClock(failure);
                }
                case RENEW_CREDENTIALS -> renewed(credentials, options.credentials::rejected);
                case SUSPECT_CREDENTIALS -> renewed(credentials, options.credentials::suspected);
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

        private boolean renewed(@Nullable Credentials credentials, Consumer<Credentials> complaint) {
            if (credentials == null || credentialsRenewed) {
                return false;
            }
            credentialsRenewed = true;
            complaint.accept(credentials);
            try {
                return !options.credentials.current(call.timeLeft()).equals(credentials);
            } catch (CredentialsException e) {
                LOG.debug("no other credentials to be had", e);
                return false;
            }
        }

        private boolean retry(AttemptFailure failure) throws StoreException {
            try {
                boolean again = tries.again(failure, call.hasProgressed());
                if (again) {
                    options.observer.retried(call.operation(), failure.reason());
                    LOG.debug(
                            "{} of {} is tried again: {}",
                            call.operation().label(),
                            Quoted.text(call.key()),
                            failure.reason());
                }
                return again;
            } catch (InterruptedException e) {
                throw cancelled(e);
            }
        }

        private StoreException cancelled(InterruptedException cause) {
            Thread.currentThread().interrupt();
            return exception(new AttemptFailure(
                    new StoreFailure.Cancelled(), Remedy.NONE, ErrorAnswer.NONE, "it was cancelled", cause));
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
            text.append(" in bucket ").append(Quoted.text(options.bucket)).append(" failed");
            if (tries.made() > 1) {
                text.append(" after ").append(tries.made()).append(" attempts");
            }
            text.append(": ").append(failure.reason());
            if (failure.failure() instanceof StoreFailure.Forbidden(StoreFailure.Forbidden.Reason reason)
                    && reason == StoreFailure.Forbidden.Reason.ACCESS_DENIED) {
                text.append("; allow ").append(call.operation().permission()).append(" for these credentials");
            }
            if (answer.status() != 0) {
                text.append(" (").append(answer.inShort()).append(')');
            }
            return new StoreException(
                    failure.failure(), call.operation(), answer.forCaller(), text.toString(), failure.getCause());
        }
    }
}
