package s3csi.testbed.contender;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import s3csi.s3.credentials.Credentials;

/**
 * The mount that a job wants.
 *
 * @param spool a directory in memory, for those who keep whole files outside of the store
 * @param caBundle trusted instead of the system's authorities, where the store speaks TLS
 */
public record Wanted(
        URI endpoint,
        String region,
        String bucket,
        Credentials.Keys keys,
        Path spool,
        Optional<Duration> metadataTtl,
        Optional<Path> caBundle) {}
