package s3csi.s3.credentials;

import java.nio.file.Path;

/** Where the keys of a profile come from, as the files say it. Equal ones mean the same keys. */
sealed interface ProfileKeys {
    /** They stand in the files. */
    record Fixed(Credentials.Keys keys) implements ProfileKeys {}

    /** A command prints them. */
    record Command(String profile, String command) implements ProfileKeys {}

    /** They stand in the environment; only as the signer of a role. */
    record OfEnvironment() implements ProfileKeys {}

    /** A token service gives them to somebody who has keys. */
    record OfRole(Role role, ProfileKeys signer) implements ProfileKeys {}

    /** A token service gives them for a token. */
    record OfWebIdentity(Role role, Path tokenFile) implements ProfileKeys {}
}
