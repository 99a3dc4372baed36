package s3csi.mounter.mount;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import s3csi.linux.FuseDevice;
import s3csi.linux.UnixStream;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;

/** A directory that is mounted on by a helper, which unmounts it should this process die. */
final class Watched implements Attachment {
    private final Own directory;
    private final Path program;
    private @Nullable UnixStream watch;

    Watched(Own directory, Path program) {
        this.directory = directory;
        this.program = program;
    }

    @Override
    public FuseDevice attach(MountConfig config) throws StartFailure {
        UnmountHelper helper = UnmountHelper.mount(
                program, SOURCE, directory.path(), config.files().permissions().readOnly());
        watch = helper.watch();
        return helper.device();
    }

    @Override
    public void tune() {
        directory.tune();
    }

    @Override
    public boolean detach() {
        return directory.detach();
    }

    /** The helper ends with it. */
    @Override
    public void release() {
        if (watch != null) {
            watch.close();
        }
    }
}
