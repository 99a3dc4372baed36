package s3csi.filesystem.directory;

import java.util.List;

/**
 * Names of a listing that lie next to each other.
 *
 * @param isLast whether nothing comes after it
 * @param isCutShort whether the store said that more would come, and could not say what
 */
record ListedPage(List<ListedName.Remote> names, boolean isLast, boolean isCutShort) {}
