package s3csi.kubernetes;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One workload of a Mountpoint Pod.
 *
 * @param attachmentTime in whole seconds, as all times of Kubernetes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record WorkloadAttachment(
        String workloadPodUID,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Instant attachmentTime) {
    public WorkloadAttachment {
        attachmentTime = attachmentTime.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Reads what any hand may have written. One entry that cannot be read would hide all attachments of the cluster, so it is taken as
     * it is: a time without a zone is UTC, and one that is none at all is long ago.
     */
    @JsonCreator
    static WorkloadAttachment read(
            @JsonProperty("workloadPodUID") @Nullable String uid,
            @JsonProperty("attachmentTime") @Nullable String time) {
        return new WorkloadAttachment(
                Objects.requireNonNullElse(uid, ""), time == null ? Instant.EPOCH : instant(time));
    }

    private static Instant instant(String text) {
        try {
            TemporalAccessor read =
                    DateTimeFormatter.ISO_DATE_TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            return read instanceof LocalDateTime local
                    ? local.toInstant(ZoneOffset.UTC)
                    : OffsetDateTime.from(read).toInstant();
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }
}
