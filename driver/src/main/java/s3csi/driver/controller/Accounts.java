package s3csi.driver.controller;

import java.util.Map;
import java.util.Optional;
import s3csi.driver.bucket.Account;
import s3csi.driver.credentials.DriverKeys;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.CredentialRules;
import s3csi.volume.Region;

/**
 * In whose name a call is made: with the keys of its Secret if it carries one, else with the driver's. Bad keys in a Secret are
 * an error; the driver's keys never stand in for a tenant's.
 */
public final class Accounts {
    private final DriverKeys driverKeys;
    private final Region driverRegion;

    public Accounts(DriverKeys driverKeys, Region driverRegion) {
        this.driverKeys = driverKeys;
        this.driverRegion = driverRegion;
    }

    /** The StorageClass' region comes first, then the Secret's, then the driver's. */
    Account of(Map<String, String> secrets, Optional<Region> asked) {
        Region region = asked.or(() -> CredentialRules.region(secrets)).orElse(driverRegion);
        AuthenticationSource source = sourceOf(secrets);
        return new Account(
                switch (source) {
                    case DRIVER -> driverKeys.current();
                    case SECRET -> CredentialRules.parse(secrets);
                },
                source,
                region);
    }

    static AuthenticationSource sourceOf(Map<String, String> secrets) {
        return secrets.isEmpty() ? AuthenticationSource.DRIVER : AuthenticationSource.SECRET;
    }
}
