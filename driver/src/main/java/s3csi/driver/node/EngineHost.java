package s3csi.driver.node;

import java.util.Optional;

/** Where engines run. */
interface EngineHost {
    /** Starts an engine that will listen in the comm directory of the source. */
    Engine start(SourceDirectory source);

    /** The engine of the source, whoever started it. */
    Optional<Engine> find(SourceDirectory source);
}
