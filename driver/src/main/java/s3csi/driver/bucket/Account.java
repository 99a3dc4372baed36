package s3csi.driver.bucket;

import s3csi.volume.Credentials;
import s3csi.volume.Region;

/** In whose name and for which region the store is called. */
public record Account(Credentials credentials, Region region) {}
