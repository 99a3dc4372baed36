package s3csi.mounter.mount;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.FileSystemConfig;
import s3csi.mounter.config.StartFailure;
import s3csi.volume.EngineTrouble;

/** Parts, and the memory they have to fit into. */
final class PartSizes {
    private static final Logger LOG = LoggerFactory.getLogger(PartSizes.class);

    private PartSizes() {}

    /**
     * The same with parts that fit.
     *
     * @param isMemoryGiven whether the user chose how much memory there is: what contradicts that choice is refused, and not lowered
     */
    static FileSystemConfig fitted(FileSystemConfig wished, boolean isMemoryGiven) throws StartFailure {
        long memory = wished.memory();
        long read = fitted(
                "--read-part-size",
                wished.reads().partSize(),
                FileSystemConfig.largestReadPart(memory),
                memory,
                isMemoryGiven);
        long most = FileSystemConfig.largestWritePart(memory);
        long write = wished.permissions().readOnly()
                ? Math.min(wished.uploads().partSize(), most)
                : fitted("--write-part-size", wished.uploads().partSize(), most, memory, isMemoryGiven);
        return wished.withReads(wished.reads().withPartSize(read))
                .withUploads(wished.uploads().withPartSize(write));
    }

    private static long fitted(String option, long size, long most, long memory, boolean isMemoryGiven)
            throws StartFailure {
        if (size <= most) {
            return size;
        }
        if (isMemoryGiven) {
            throw new StartFailure(
                    EngineTrouble.INVALID_FIELD,
                    "parts of " + size + " bytes (" + option + " or --part-size) do not fit into the " + memory
                            + " bytes that --memory-target leaves for data; lower the one or raise the other",
                    null);
        }
        LOG.warn("{} of {} bytes is lowered to {}, which the memory for data has room for", option, size, most);
        return most;
    }
}
