package s3csi.fuse;

/** The answer to STATFS. */
public interface StatisticsReply extends Reply {
    void statistics(FileSystemStatistics statistics);

    @Override
    StatisticsReply later();
}
