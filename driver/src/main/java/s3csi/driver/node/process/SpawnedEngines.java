package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.linux.Descriptor;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.linux.LinuxException;
import s3csi.linux.PlainFiles;
import s3csi.linux.Spawn;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;

/**
 * Engines as processes of their own, which outlive the driver. An engine is known by the comm directory on its command line, by its
 * program and by its user: so it is found again after a restart of the driver, without a file that could be wrong about it.
 */
public final class SpawnedEngines implements EngineHost {
    /** The file is no program. */
    private static final int ENOEXEC = 8;

    private static final Path PROCESSES = Path.of("/proc");

    /** All that an engine gets. What it needs for the store comes with the mount; paths are UTF-8 whatever the driver's locale is. */
    private static final Map<String, String> ENVIRONMENT = Map.of("LANG", "C.UTF-8", "PATH", "/usr/bin:/bin");

    private final Path command;
    private final EngineProgram program;

    /** The command takes {@code --comm-dir=DIRECTORY}, as the mounter does. */
    public SpawnedEngines(Path command) {
        this.command = command;
        this.program = new EngineProgram(command);
    }

    private static String argument(SourceDirectory source) {
        return "--comm-dir=" + source.comm();
    }

    /**
     * Without capabilities: the mount is handed to the engine as a descriptor, and all files it needs belong to its user. Its log is opened for
     * appending, which tells the engine that it is a file of its own to keep small.
     */
    @Override
    public OwnedEngine start(SourceDirectory source) {
        int flags =
                FileFlags.O_WRONLY | FileFlags.O_CREAT | FileFlags.O_TRUNC | FileFlags.O_APPEND | FileFlags.O_CLOEXEC;
        try (Descriptor log = PlainFiles.open(source.log(), flags)) {
            int pid = new Spawn(
                            command,
                            List.of(command.toString(), argument(source)),
                            ENVIRONMENT,
                            Map.of(1, log, 2, log),
                            true)
                    .startWithoutCapabilities()
                    .pid();
            return new EngineProcess(pid, source.log());
        } catch (LinuxException e) {
            throw refused(e);
        }
    }

    private VolumeFailure refused(LinuxException failure) {
        return switch (failure.errno()) {
            case Errno.ENOENT, Errno.EACCES, Errno.ENOTDIR, Errno.EISDIR, Errno.EPERM, ENOEXEC ->
                new VolumeFailure(
                        new NodeCause.EngineMissing(command.toString(), String.valueOf(failure.getMessage())), failure);
            default -> NodeFailures.of("start the engine " + command, failure);
        };
    }

    @Override
    public Optional<OwnedEngine> find(SourceDirectory source) {
        String wanted = argument(source);
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                if (commandLine(process).contains(wanted) && program.isRunBy(process)) {
                    int pid = Integer.parseInt(String.valueOf(process.getFileName()));
                    return Optional.of(new EngineProcess(pid, source.log()));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw NodeFailures.of("look for the engine of " + source.name(), e);
        }
    }

    /** The arguments of a process; none when it has ended, even if nobody has waited for it. */
    static List<String> commandLine(Path process) throws IOException {
        try {
            String text = new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8);
            return Arrays.asList(text.split("\u0000", -1));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            // ESRCH: it ended while its file was open.
            if (Files.exists(process)) {
                throw e;
            }
            return List.of();
        }
    }
}
