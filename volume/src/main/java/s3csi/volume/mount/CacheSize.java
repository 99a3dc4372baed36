package s3csi.volume.mount;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** How large a cache may be in a volume whose size kubelet watches: a pod that exceeds it is evicted, and its mount with it. */
final class CacheSize {
    private static final String OPTION = "--max-cache-size";

    /** Percent; what is being written comes on top for a moment. */
    private static final int SHARE = 95;

    private static final BigDecimal MIB = BigDecimal.valueOf(1 << 20);

    /** A number and either a unit or an exponent: {@code 5E} are exabytes, and {@code 5E3} are 5000 bytes. */
    private static final Pattern QUANTITY = Pattern.compile(
            "[+]?([0-9]{1,19}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})(?:(n|u|m|k|[MGTPE]|[KMGTPE]i)|([eE][+-]?[0-9]{1,2}))?");

    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(
            Map.entry("n", new BigDecimal("0.000000001")),
            Map.entry("u", new BigDecimal("0.000001")),
            Map.entry("m", new BigDecimal("0.001")),
            Map.entry("k", BigDecimal.TEN.pow(3)),
            Map.entry("M", BigDecimal.TEN.pow(6)),
            Map.entry("G", BigDecimal.TEN.pow(9)),
            Map.entry("T", BigDecimal.TEN.pow(12)),
            Map.entry("P", BigDecimal.TEN.pow(15)),
            Map.entry("E", BigDecimal.TEN.pow(18)),
            Map.entry("Ki", BigDecimal.TWO.pow(10)),
            Map.entry("Mi", BigDecimal.TWO.pow(20)),
            Map.entry("Gi", BigDecimal.TWO.pow(30)),
            Map.entry("Ti", BigDecimal.TWO.pow(40)),
            Map.entry("Pi", BigDecimal.TWO.pow(50)),
            Map.entry("Ei", BigDecimal.TWO.pow(60)));

    private CacheSize() {}

    /** The options with a size that fits a volume of this limit. A volume that asks for more than there is does not know about it. */
    static MountOptions within(String limit, MountOptions options) {
        Optional<BigDecimal> bytes = bytesOf(limit);
        if (bytes.isEmpty()) {
            return options;
        }
        BigDecimal most = bytes.get().divide(MIB, 0, RoundingMode.DOWN);
        BigDecimal share =
                most.multiply(BigDecimal.valueOf(SHARE)).divide(BigDecimal.valueOf(100), 0, RoundingMode.DOWN);
        Optional<BigDecimal> asked = options.value(OPTION).map(CacheSize::number);
        if (asked.isPresent() && asked.get().compareTo(most) > 0) {
            throw VolumeFailure.invalid(
                    "mount option " + OPTION,
                    asked.get() + " MiB are more than the cache's volume has, " + limit,
                    "Ask for less, or raise the attribute cacheEmptyDirSizeLimit of the PersistentVolume");
        }
        return asked.isPresent() && asked.get().compareTo(share) <= 0
                ? options
                : options.with(OPTION, share.toPlainString());
    }

    private static BigDecimal number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw VolumeFailure.invalid(
                    "mount option " + OPTION, Printable.quoted(text) + " is not a number of MiB", "Use a whole number");
        }
        return new BigDecimal(text);
    }

    /** As Kubernetes writes quantities; empty if it is none. */
    private static Optional<BigDecimal> bytesOf(String quantity) {
        Matcher matcher = QUANTITY.matcher(quantity);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String unit = matcher.group(2);
        String exponent = matcher.group(3);
        BigDecimal number = new BigDecimal(matcher.group(1) + (exponent == null ? "" : exponent));
        return Optional.of(unit == null ? number : number.multiply(UNITS.getOrDefault(unit, BigDecimal.ONE)));
    }
}
