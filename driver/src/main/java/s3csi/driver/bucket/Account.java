package s3csi.driver.bucket;

import s3csi.volume.AuthenticationSource;
import s3csi.volume.Region;
import s3csi.volume.StoreKeys;

/**
 * In whose name and for which region the store is called.
 *
 * @param source whose keys these are
 */
public record Account(StoreKeys credentials, AuthenticationSource source, Region region) {}
