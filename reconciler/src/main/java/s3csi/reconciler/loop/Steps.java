package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.control.Announcements;
import s3csi.control.Outdated;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.PodPhase;
import s3csi.reconciler.model.KnownAttachment;
import s3csi.reconciler.model.MountpointPodTemplate;
import s3csi.reconciler.model.S3Volume;
import s3csi.reconciler.model.Step;
import s3csi.reconciler.model.WorkloadPod;

/** Takes the steps of a decision, in their order, and none after one that failed. */
final class Steps {
    private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

    private static final int TOO_MANY_REQUESTS = 429;

    private final ClusterCache cache;
    private final SeenWrites seen;
    private final ClusterWrites writes;
    private final MountpointPodTemplate template;
    private final Announcements announcements;

    Steps(
            ClusterCache cache,
            SeenWrites seen,
            ClusterWrites writes,
            MountpointPodTemplate template,
            Announcements announcements) {
        this.cache = cache;
        this.seen = seen;
        this.writes = writes;
        this.template = template;
        this.announcements = announcements;
    }

    /** Steps that make no pod. */
    void take(Subject subject, List<Step> steps) {
        for (Step step : steps) {
            take(subject, step);
        }
    }

    /** Steps for a workload and its volume. A pod that was made for it is taken back where its attachment is refused. */
    void take(Subject subject, List<Step> steps, WorkloadPod workload, S3Volume volume) {
        @Nullable Pod made = null;
        for (Step step : steps) {
            if (step instanceof Step.CreatePod(String name)) {
                made = createPod(subject, template.of(name, workload, volume));
                if (volume.hasCacheOption()) {
                    LOG.atWarn()
                            .addKeyValue("volume", volume.name())
                            .log(
                                    "the mount option cache gives an emptyDir without a limit; the attribute cache can set one");
                }
                continue;
            }
            try {
                take(subject, step);
            } catch (KubernetesClientException e) {
                if (made != null && isRefusal(e)) {
                    takeBack(subject, made);
                }
                throw e;
            }
        }
    }

    /** Whether the API server has decided against it. Another answer, or none, may come from one that did what it was asked. */
    static boolean isRefusal(KubernetesClientException e) {
        return e.getCode() >= HttpURLConnection.HTTP_BAD_REQUEST
                && e.getCode() < HttpURLConnection.HTTP_INTERNAL_ERROR
                && e.getCode() != HttpURLConnection.HTTP_CONFLICT
                && e.getCode() != TOO_MANY_REQUESTS;
    }

    static String reason(KubernetesClientException e) {
        String message = e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
        return message == null ? "code " + e.getCode() : message;
    }

    private Pod createPod(Subject subject, Pod pod) {
        Pod created = writes.create(pod);
        String name = created.getMetadata().getName();
        seen.created(subject, created, () -> cache.mountpointPod(name));
        LOG.atInfo()
                .addKeyValue("mountpointPod", name)
                .addKeyValue("subject", subject)
                .log("made a Mountpoint Pod");
        return created;
    }

    private void takeBack(Subject subject, Pod made) {
        try {
            writes.delete(made);
            seen.deleted(made.getMetadata().getUid());
        } catch (KubernetesClientException e) {
            LOG.atWarn()
                    .addKeyValue("mountpointPod", made.getMetadata().getName())
                    .addKeyValue("subject", subject)
                    .log("cannot take back a Mountpoint Pod; it is removed with those that nothing names", e);
        }
    }

    private void take(Subject subject, Step step) {
        switch (step) {
            case Step.CreatePod(String name) ->
                throw new IllegalArgumentException("no workload to make " + name + " for");
            case Step.CreateAttachment(PodAttachmentSpec spec) -> {
                PodAttachment created =
                        writes.create(PodAttachment.of(spec, template.settings().driverVersion()));
                expectAttachment(subject, created, true);
            }
            case Step.UpdateAttachment(KnownAttachment known, PodAttachmentSpec spec) -> {
                PodAttachment changed = new PodAttachment();
                changed.setMetadata(current(known).getMetadata());
                changed.setSpec(spec);
                expectAttachment(subject, writes.update(changed), false);
            }
            case Step.DeleteAttachment(KnownAttachment known) -> {
                PodAttachment attachment = current(known);
                writes.delete(attachment);
                seen.deleted(subject, attachment, () -> cache.attachment(known.name()));
            }
            case Step.RequestUnmount(String name) -> requestUnmount(subject, name);
            case Step.NotePublishSecret(String name, boolean isNamed) -> {
                Optional<Pod> _ = annotate(
                        subject, name, Annotations.NAMES_PUBLISH_SECRET, isNamed ? Annotations.YES : Annotations.NO);
            }
            case Step.DeletePod(String name) ->
                cache.mountpointPod(name).ifPresent(pod -> {
                    writes.delete(pod);
                    seen.deleted(subject, pod, () -> cache.mountpointPod(name));
                    LOG.atInfo().addKeyValue("mountpointPod", name).log("removed a Mountpoint Pod");
                    tellOfRemoval(pod);
                });
        }
    }

    private void tellOfRemoval(Pod pod) {
        switch (PodPhase.of(pod.getStatus() == null ? null : pod.getStatus().getPhase())) {
            case FAILED ->
                announcements.warn(
                        pod, "MountpointPodFailed", "it failed and is removed; pods that need its volume get another");
            case SUCCEEDED -> announcements.tell(pod, "MountpointPodRemoved", "it has ended and is removed");
            case PENDING, RUNNING, UNKNOWN ->
                announcements.tell(pod, "MountpointPodRemoved", "it is removed because nothing needs it");
        }
    }

    private void requestUnmount(Subject subject, String name) {
        annotate(subject, name, Annotations.NEEDS_UNMOUNT, Annotations.YES).ifPresent(pod -> {
            LOG.atInfo().addKeyValue("mountpointPod", name).log("a Mountpoint Pod is no longer needed");
            announcements.tell(
                    pod,
                    "MountpointPodNotNeeded",
                    "no pod uses its volume on this node any more; it ends when the node has unmounted it");
        });
    }

    private Optional<Pod> annotate(Subject subject, String name, String key, String value) {
        Optional<Pod> changed = cache.mountpointPod(name).flatMap(pod -> writes.annotate(pod, key, value));
        changed.ifPresent(pod -> seen.changed(subject, pod, () -> cache.mountpointPod(name)));
        return changed;
    }

    private void expectAttachment(Subject subject, PodAttachment written, boolean isNew) {
        String name = written.getMetadata().getName();
        if (isNew) {
            seen.created(subject, written, () -> cache.attachment(name));
        } else {
            seen.changed(subject, written, () -> cache.attachment(name));
        }
    }

    /** As the cache has it, with all that it carries beside what was decided about. */
    private PodAttachment current(KnownAttachment known) {
        return cache.attachment(known.name())
                .filter(attachment ->
                        known.resourceVersion().equals(attachment.getMetadata().getResourceVersion()))
                .orElseThrow(() -> new Outdated("the attachment " + known.name()));
    }
}
