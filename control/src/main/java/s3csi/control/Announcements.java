package s3csi.control;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events: what people see with {@code kubectl describe} who ask why something does not work. */
public final class Announcements {
    private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);

    private static final String COMPONENT = "scality-csi-controller";

    /** Where Kubernetes keeps Events about what is in no namespace. */
    private static final String OF_THE_CLUSTER = "default";

    /** What is tried again and again is not told again and again. */
    private static final Duration AGAIN_AFTER = Duration.ofMinutes(10);

    private static final int MOST_REMEMBERED = 1000;

    /** What the API server takes for a message. */
    private static final int LONGEST = 1000;

    private record Told(String uid, String reason, String message) {}

    private final Consumer<Event> writes;
    private final Clock clock;

    /** Guarded by itself. */
    private final Map<Told, Instant> told = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Told, Instant> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /**
     * Tells nothing twice in a short time.
     *
     * @param writes makes an Event in the cluster; one that cannot be made is no failure
     */
    public Announcements(Consumer<Event> writes, Clock clock) {
        this.writes = writes;
        this.clock = clock;
    }

    private enum Type {
        Normal,
        Warning
    }

    /** Something that a person has to mend, or should know. */
    public void warn(HasMetadata about, String reason, String message) {
        tell(Type.Warning, about, reason, message);
    }

    /** Something that goes as it should. */
    public void note(HasMetadata about, String reason, String message) {
        tell(Type.Normal, about, reason, message);
    }

    private void tell(Type type, HasMetadata about, String reason, String message) {
        Instant now = clock.instant();
        if (wasToldLately(new Told(about.getMetadata().getUid(), reason, message), now)) {
            return;
        }
        (type == Type.Warning ? LOG.atWarn() : LOG.atInfo())
                .addKeyValue("kind", about.getKind())
                .addKeyValue("namespace", about.getMetadata().getNamespace())
                .addKeyValue("name", about.getMetadata().getName())
                .addKeyValue("reason", reason)
                .log(message);
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        String namespace = about.getMetadata().getNamespace();
        try {
            writes.accept(new EventBuilder()
                    .withNewMetadata()
                    .withGenerateName(COMPONENT + "-")
                    .withNamespace(namespace == null ? OF_THE_CLUSTER : namespace)
                    .endMetadata()
                    .withNewInvolvedObject()
                    .withApiVersion(about.getApiVersion())
                    .withKind(about.getKind())
                    .withNamespace(namespace)
                    .withName(about.getMetadata().getName())
                    .withUid(about.getMetadata().getUid())
                    .endInvolvedObject()
                    .withType(type.name())
                    .withReason(reason)
                    .withMessage(message.length() > LONGEST ? message.substring(0, LONGEST) : message)
                    .withNewSource()
                    .withComponent(COMPONENT)
                    .endSource()
                    .withFirstTimestamp(time)
                    .withLastTimestamp(time)
                    .withCount(1)
                    .build());
        } catch (RuntimeException e) {
            LOG.debug("an Event could not be written", e);
        }
    }

    private boolean wasToldLately(Told what, Instant now) {
        synchronized (told) {
            Instant before = told.get(what);
            if (before != null && before.plus(AGAIN_AFTER).isAfter(now) && !before.isAfter(now)) {
                return true;
            }
            told.remove(what);
            told.put(what, now);
            return false;
        }
    }
}
