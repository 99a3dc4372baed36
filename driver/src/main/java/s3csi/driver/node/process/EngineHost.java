package s3csi.driver.node.process;

import java.util.Optional;

/** Where engines run. */
interface EngineHost {
    /** Starts an engine that will listen in the comm directory of the source. */
    OwnedEngine start(SourceDirectory source);

    /** The engine of the source, whoever started it. */
    Optional<OwnedEngine> find(SourceDirectory source);
}
