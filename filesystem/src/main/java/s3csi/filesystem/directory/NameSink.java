package s3csi.filesystem.directory;

/** Where names go: one of the two answers to a listing. */
interface NameSink {
    enum Added {
        YES,
        /** The name does not lead to anything any more; nothing was added. */
        GONE,
        NO_ROOM
    }

    Added add(ListedName name, long nextOffset);

    boolean isEmpty();

    void send();

    /** What the answer says about room. */
    static Added added(boolean hadRoom) {
        return hadRoom ? Added.YES : Added.NO_ROOM;
    }
}
