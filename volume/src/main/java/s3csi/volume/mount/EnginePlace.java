package s3csi.volume.mount;

/** Where the engine of a volume runs, and so what the volume's author may ask of it. */
public sealed interface EnginePlace {
    /**
     * On the node, in its network and beside its other processes.
     *
     * @param mostMemory MiB that a volume may ask for; no container of its own limits the engine
     */
    record Node(int mostMemory) implements EnginePlace {}

    /** In a pod of its own, whose network address and memory limit are nobody else's. */
    record Pod() implements EnginePlace {}
}
