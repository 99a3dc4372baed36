package s3csi.s3.credentials;

import java.net.URI;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import s3csi.s3.http.Origin;
import s3csi.s3.http.Trust;

/**
 * Where the token service is. Stores outside AWS know no keys of AWS, and most that have roles answer for their token service
 * themselves; so it is looked for at the store, unless AWS_ENDPOINT_URL_STS says where it is.
 *
 * @param store null for AWS
 * @param usual the region where none is asked for; null for that of the environment
 * @param trust whom to believe that it is the token service
 */
record TokenServices(
        Map<String, String> environment,
        @Nullable URI store,
        @Nullable String usual,
        Trust trust,
        Clock clock) {
    private static final String DEFAULT_REGION = "us-east-1";

    /**
     * The service of a region.
     *
     * @param region null for the usual one
     */
    TokenService in(@Nullable String region) throws CredentialsException {
        String place = region != null ? region : usual != null ? usual : value("AWS_DEFAULT_REGION", DEFAULT_REGION);
        return new TokenService(new KeyService(origin(place), trust), place, clock);
    }

    /** Whom a role is asked for, for a message. */
    String nameIn(@Nullable String region) {
        try {
            return in(region).toString();
        } catch (CredentialsException e) {
            return "a token service";
        }
    }

    private Origin origin(String region) throws CredentialsException {
        String own = value("AWS_ENDPOINT_URL_STS", "");
        if (!own.isEmpty()) {
            return parsed(own);
        }
        if (store != null && !Origin.of(store).isAws()) {
            return ofStore(Origin.of(store));
        }
        return Origin.of(
                URI.create("https://sts." + region + ".amazonaws.com" + (region.startsWith("cn-") ? ".cn" : "")));
    }

    /** Requests are signed, so a store in plain text never sees a secret; but a token service answers with one. */
    private static Origin ofStore(Origin store) throws CredentialsException {
        if (!store.isSecure() && !store.isThisMachine()) {
            throw new CredentialsException("no role is assumed at the store " + store
                    + ", because its keys would come in plain text; set AWS_ENDPOINT_URL_STS to the address of the"
                    + " token service, or to the store's if that is what you want");
        }
        return store;
    }

    private static Origin parsed(String address) throws CredentialsException {
        try {
            return Origin.of(URI.create(address));
        } catch (IllegalArgumentException e) {
            throw new CredentialsException("AWS_ENDPOINT_URL_STS names no token service: " + e.getMessage(), e);
        }
    }

    String value(String name, String otherwise) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }
}
