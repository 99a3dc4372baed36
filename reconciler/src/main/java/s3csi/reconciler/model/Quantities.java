package s3csi.reconciler.model;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** Amounts in the attributes of a volume, in the words of Kubernetes such as {@code 250m} and {@code 64Mi}. */
final class Quantities {
    private static final Pattern AMOUNT =
            Pattern.compile("([0-9]{1,15}\\.?[0-9]{0,9}|\\.[0-9]{1,9})([KMGTPE]i|[numkMGTPE]|[eE][0-9]{1,2})?");

    private Quantities() {}

    /** What the attribute says; empty where the volume does not have it. */
    static Optional<Quantity> in(Map<String, String> attributes, String attribute) {
        return Optional.ofNullable(attributes.get(attribute)).map(text -> require("volume_context." + attribute, text));
    }

    /** @param field where the amount is from */
    static Quantity require(String field, String text) {
        if (!AMOUNT.matcher(text).matches()
                || new Quantity(text).getNumericalAmount().signum() <= 0) {
            throw VolumeFailure.invalid(
                    field,
                    Printable.quoted(text) + " is no amount of a resource",
                    "Use a number with a unit, such as 250m for a quarter of a CPU or 256Mi for memory");
        }
        return new Quantity(text);
    }

    static boolean isMore(Quantity one, Quantity other) {
        return one.getNumericalAmount().compareTo(other.getNumericalAmount()) > 0;
    }
}
