package s3csi.mounter.command;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.StartFailure;

/** What a command line asks for. */
public sealed interface MountCommand {
    /** Print this and end. */
    record Print(String text) implements MountCommand {}

    record Mount(MountConfig config) implements MountCommand {}

    /**
     * Reads a command line, in the ordinary or in the fstab form.
     *
     * @param arguments without the name of the program
     * @param version of this program
     * @throws UsageError if it is not a command line of this program
     * @throws StartFailure if it is one, and asks for what cannot be
     */
    static MountCommand parse(List<String> arguments, Map<String, String> environment, String version)
            throws UsageError, StartFailure {
        boolean isFstab = FstabOptions.isFstabForm(arguments);
        Arguments scanned = ArgumentScanner.scan(isFstab ? FstabOptions.translate(arguments) : arguments);
        if (scanned.has(Option.HELP)) {
            return new Print(arguments.contains("--help") ? HelpText.details() : HelpText.summary());
        }
        if (scanned.has(Option.VERSION)) {
            return new Print("mount-s3 " + version + "\n");
        }
        OptionRules.check(scanned);
        ConfigReader.Origin origin = isFstab ? ConfigReader.Origin.FSTAB : ConfigReader.Origin.COMMAND_LINE;
        return new Mount(new ConfigReader(scanned, environment, origin)
                .read(
                        scanned.positionals().getFirst(),
                        MountPoint.parse(scanned.positionals().getLast()),
                        new Values(scanned).path(Option.CACHE)));
    }

    /** Which directory holds a cache, if there is one: not always the one that is asked for. */
    @FunctionalInterface
    interface CacheChoice {
        Optional<Path> of(Optional<Path> asked) throws StartFailure;
    }

    /**
     * Reads what a node service asks for: options only, for a device that it has mounted.
     *
     * @param mounted its descriptor here
     */
    static MountConfig ofNode(
            String bucket,
            List<String> options,
            Map<String, String> environment,
            MountPoint.FuseDescriptor mounted,
            CacheChoice caches)
            throws UsageError, StartFailure {
        Arguments scanned = ArgumentScanner.scan(options);
        // Names beside options would take the place of the bucket.
        if (!scanned.positionals().isEmpty() || scanned.has(Option.HELP) || scanned.has(Option.VERSION)) {
            throw new UsageError("the mount options " + options + " hold more than options of a mount");
        }
        Optional<Path> cache = caches.of(new Values(scanned).path(Option.CACHE));
        Set<Option> given = new HashSet<>(scanned.options().keySet());
        if (cache.isPresent()) {
            given.add(Option.CACHE);
        }
        OptionRules.check(given, List.of());
        return new ConfigReader(scanned, environment, ConfigReader.Origin.NODE).read(bucket, mounted, cache);
    }
}
