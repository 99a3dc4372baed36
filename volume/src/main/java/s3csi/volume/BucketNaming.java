package s3csi.volume;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The names of the buckets this driver makes: {@code [prefix]csi-s3-<UUID>}, where the UUID is made from the volume's name.
 *
 * <p>Because the name is a function of the request, a request that is repeated after its answer was lost finds the bucket it
 * made before. The 2.x releases used the same form with a random UUID; both are recognised here, and nothing else is ever
 * deleted.
 */
public final class BucketNaming {
    /** {@code csi-s3-} and a UUID leave this much of the 63 characters of a bucket name. */
    public static final int LONGEST_PREFIX = 20;

    private static final String MARK = "csi-s3-";
    private static final Pattern OURS = Pattern.compile("[a-z0-9.-]{0," + LONGEST_PREFIX + "}" + MARK
            + "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private BucketNaming() {}

    public static BucketName bucketFor(String prefix, VolumeName name) {
        return new BucketName(prefix + MARK + uuidOf(name));
    }

    /** The bucket of a provisioned volume; empty for an id that this driver cannot have given. */
    public static Optional<BucketName> bucketOf(VolumeId id) {
        boolean ours = OURS.matcher(id.text()).matches() && BucketName.isValid(id.text());
        return ours ? Optional.of(new BucketName(id.text())) : Optional.empty();
    }

    /** Why a prefix cannot be used, or nothing. */
    static Optional<String> faultIn(String prefix) {
        if (prefix.length() > LONGEST_PREFIX) {
            return Optional.of("it has more than " + LONGEST_PREFIX + " characters");
        }
        boolean fits = BucketName.isValid(prefix + MARK + new UUID(0, 0));
        return fits ? Optional.empty() : Optional.of(Printable.quoted(prefix) + " cannot begin a bucket name");
    }

    /** The first 128 bits of the name's SHA-256, marked as version 8 of RFC 9562: a UUID with a meaning of its maker's. */
    private static UUID uuidOf(VolumeName name) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(name.text().getBytes(StandardCharsets.UTF_8));
            ByteBuffer bits = ByteBuffer.wrap(hash);
            long high = (bits.getLong() & ~0xf000L) | 0x8000L;
            long low = (bits.getLong() & ~(3L << 62)) | (1L << 63);
            return new UUID(high, low);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
