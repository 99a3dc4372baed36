package s3csi.control;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events: what people see with {@code kubectl describe} who ask why something does not work. The same said again about the same object counts
 * one Event up, whichever controller said it before.
 */
public final class Announcements {
    private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);

    private static final String COMPONENT = "scality-csi-controller";

    /** Where Kubernetes keeps Events about what is in no namespace. */
    private static final String OF_THE_CLUSTER = "default";

    /** What the API server takes for a message. */
    private static final int LONGEST = 1000;

    /** Of the object's name, so that the Event's own fits with what follows. */
    private static final int LONGEST_NAME = 200;

    private static final int DIGITS = 16;

    private final Consumer<Event> writes;
    private final Clock clock;
    private final ToldBefore before;

    /**
     * Tells nothing twice in a short time.
     *
     * @param writes makes an Event in the cluster, or counts it up; one that cannot be made is no failure
     */
    public Announcements(Consumer<Event> writes, Clock clock) {
        this.writes = writes;
        this.clock = clock;
        this.before = new ToldBefore(System::nanoTime);
    }

    /** Something that a person has to mend, or should know. */
    public void warn(HasMetadata about, String reason, String message) {
        announce("Warning", about, reason, message);
    }

    /** Something that goes as it should. */
    public void tell(HasMetadata about, String reason, String message) {
        announce("Normal", about, reason, message);
    }

    private void announce(String type, HasMetadata about, String reason, String message) {
        int count = before.countIfDue(Objects.requireNonNull(about.getMetadata().getUid()), reason, message);
        if (count == 0) {
            return;
        }
        (type.equals("Warning") ? LOG.atWarn() : LOG.atDebug())
                .addKeyValue("kind", about.getKind())
                .addKeyValue("namespace", about.getMetadata().getNamespace())
                .addKeyValue("name", about.getMetadata().getName())
                .addKeyValue("reason", reason)
                .log(message);
        try {
            writes.accept(event(type, about, reason, message, count));
        } catch (RuntimeException e) {
            LOG.debug("an Event could not be written", e);
        }
    }

    private Event event(String type, HasMetadata about, String reason, String message, int count) {
        String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        String text = message.length() > LONGEST ? message.substring(0, LONGEST) : message;
        return new EventBuilder()
                .withNewMetadata()
                .withName(name(about, reason, text))
                .withNamespace(Objects.requireNonNullElse(about.getMetadata().getNamespace(), OF_THE_CLUSTER))
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withNamespace(about.getMetadata().getNamespace())
                .withName(about.getMetadata().getName())
                .withUid(about.getMetadata().getUid())
                .endInvolvedObject()
                .withType(type)
                .withReason(reason)
                .withMessage(text)
                .withNewSource()
                .withComponent(COMPONENT)
                .endSource()
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withCount(count)
                .build();
    }

    /** The same for the same, so that another controller finds what this one said. */
    private static String name(HasMetadata about, String reason, String message) {
        String object = about.getMetadata().getName();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", about.getMetadata().getUid(), reason, message)
                            .getBytes(StandardCharsets.UTF_8));
            return object.substring(0, Math.min(object.length(), LONGEST_NAME)) + "."
                    + HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
