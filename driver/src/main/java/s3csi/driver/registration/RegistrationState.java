package s3csi.driver.registration;

import java.util.Optional;

/** How far the driver has come with kubelet. */
sealed interface RegistrationState {
    /** Why volumes cannot be mounted for lack of it; empty if that is not so, or not known. */
    Optional<String> trouble();

    /** Kubelet has not said anything yet. It may be away, or be about to ask. */
    record Waiting() implements RegistrationState {
        @Override
        public Optional<String> trouble() {
            return Optional.empty();
        }
    }

    record Registered() implements RegistrationState {
        @Override
        public Optional<String> trouble() {
            return Optional.empty();
        }
    }

    /**
     * Kubelet has not taken the driver.
     *
     * @param reason in kubelet's words
     */
    record Refused(String reason) implements RegistrationState {
        @Override
        public Optional<String> trouble() {
            return Optional.of("kubelet has not taken the driver: " + reason);
        }
    }
}
