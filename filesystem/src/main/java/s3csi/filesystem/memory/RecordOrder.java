package s3csi.filesystem.memory;

/**
 * An order of records from the oldest to the newest, by links that they carry: two numbers of four bytes, at the same place in each.
 * Not for several threads at once.
 */
public final class RecordOrder {
    private final Records records;
    private final int olderField;
    private final int newerField;
    private int oldest;
    private int newest;

    /** The links are at this place in the records. */
    public RecordOrder(Records records, int links) {
        this.records = records;
        this.olderField = links;
        this.newerField = links + Integer.BYTES;
    }

    /** 0 for none, here and below. */
    public int oldest() {
        return oldest;
    }

    public int older(int record) {
        return records.intAt(record, olderField);
    }

    public int newer(int record) {
        return records.intAt(record, newerField);
    }

    public void addNewest(int record) {
        link(record, newest, 0);
    }

    public void addOldest(int record) {
        link(record, 0, oldest);
    }

    private void link(int record, int older, int newer) {
        records.setInt(record, olderField, older);
        records.setInt(record, newerField, newer);
        setNewer(older, record);
        setOlder(newer, record);
    }

    public void remove(int record) {
        int older = older(record);
        int newer = newer(record);
        setNewer(older, newer);
        setOlder(newer, older);
    }

    public void clear() {
        oldest = 0;
        newest = 0;
    }

    private void setNewer(int record, int newer) {
        if (record == 0) {
            oldest = newer;
        } else {
            records.setInt(record, newerField, newer);
        }
    }

    private void setOlder(int record, int older) {
        if (record == 0) {
            newest = older;
        } else {
            records.setInt(record, olderField, older);
        }
    }
}
