package s3csi.mounter.mount;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.FileSystemConfig;
import s3csi.filesystem.inode.Appearance;
import s3csi.filesystem.inode.MetadataCaching;
import s3csi.filesystem.read.ReadSettings;
import s3csi.filesystem.write.UploadSettings;
import s3csi.filesystem.write.Uploads;
import s3csi.fuse.AccessRule;
import s3csi.fuse.session.SessionSettings;
import s3csi.linux.Processes;
import s3csi.mounter.config.ClientConfig;
import s3csi.mounter.config.FilesConfig;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.config.TimeToLive;
import s3csi.volume.EngineTrouble;

/** The settings of a mount in the words of the layers below. */
final class EngineSettings {
    private static final Logger LOG = LoggerFactory.getLogger(EngineSettings.class);

    /** No use in asking for more at once than this, whatever part size S3 allows. */
    private static final long LARGEST_REQUEST = 1 << 30;

    private EngineSettings() {}

    static FileSystemConfig fileSystem(MountConfig config, long budget) throws StartFailure {
        FilesConfig files = config.files();
        int uid = files.uid().orElseGet(Processes::userId);
        int gid = files.gid().orElseGet(Processes::groupId);
        return FileSystemConfig.defaults(uid, gid)
                .withPrefix(config.source().prefix())
                .withPermissions(new FileSystemConfig.Permissions(
                        files.readOnly(),
                        files.allowDelete(),
                        files.allowOverwrite(),
                        files.allowAppend(),
                        files.ignoreAttributeChanges()))
                .withAppearance(new Appearance(uid, gid, files.fileMode(), files.directoryMode()))
                .withCaching(MetadataCaching.of(
                        time(config.cache().metadata()), time(config.cache().negative())))
                .withUploads(uploads(config, budget));
    }

    private static UploadSettings uploads(MountConfig config, long budget) throws StartFailure {
        UploadSettings settings = UploadSettings.DEFAULTS
                .withPartSize(writePart(config, budget))
                .withInferContentType(config.upload().inferContentType());
        Path directory = config.cache().directory();
        if (directory == null || config.files().readOnly()) {
            return settings;
        }
        // Mounts of other buckets may share the directory.
        String bucket = config.store().endpoint() + "\n" + config.source().bucket();
        return settings.withNotes(directory
                .resolve("unfinished-uploads")
                .resolve(UUID.nameUUIDFromBytes(bucket.getBytes(StandardCharsets.UTF_8))
                        .toString()));
    }

    private static s3csi.filesystem.inode.TimeToLive time(TimeToLive time) {
        return switch (time) {
            case TimeToLive.Minimal() -> new s3csi.filesystem.inode.TimeToLive.Minimal();
            case TimeToLive.Lasting(var duration) -> new s3csi.filesystem.inode.TimeToLive.For(duration);
            case TimeToLive.Indefinite() -> new s3csi.filesystem.inode.TimeToLive.Indefinite();
        };
    }

    /** A part is in memory as a whole until the store has it. */
    private static long writePart(MountConfig config, long budget) throws StartFailure {
        long most = Uploads.largestPart(budget);
        long size = config.client().writePartSize();
        if (size > most && !config.files().readOnly()) {
            if (config.client().memoryTarget().isPresent()) {
                throw new StartFailure("parts of " + size + " bytes (--write-part-size or --part-size) do not fit into"
                        + " the " + budget + " bytes that --memory-target leaves for data; lower the one or raise the"
                        + " other");
            }
            LOG.warn(
                    "--write-part-size of {} bytes is lowered to {}, which the memory for data has room for",
                    size,
                    most);
        }
        return Math.min(size, most);
    }

    /** Parts must fit into the memory more than once, or a single reader would stand still between them. */
    static ReadSettings reads(ClientConfig client, long budget) throws StartFailure {
        long most = budget / 2;
        long size = client.readPartSize();
        if (size > most && client.memoryTarget().isPresent()) {
            throw new StartFailure(
                    EngineTrouble.INVALID_FIELD,
                    "parts of " + size + " bytes (--read-part-size or --part-size) do not fit into the " + budget
                            + " bytes that --memory-target leaves for data; lower the one or raise the other",
                    null);
        }
        if (size > most) {
            LOG.warn("--read-part-size of {} bytes is lowered to {}, half of the memory for data", size, most);
        }
        return ReadSettings.DEFAULT.withPartSize((int) Math.min(Math.min(size, most), LARGEST_REQUEST));
    }

    static SessionSettings session(SessionSettings wanted, MountConfig config) {
        int owner = Processes.effectiveUserId();
        AccessRule access = switch (config.files().audience()) {
            case OWNER -> new AccessRule.Owner(owner);
            case OWNER_AND_ROOT -> new AccessRule.OwnerAndRoot(owner);
            case EVERYBODY -> new AccessRule.All();
        };
        return wanted.withThreads(Math.min(wanted.threads(), config.client().maxThreads()))
                .withAccess(access);
    }
}
