package s3csi.testbed.bench.engine;

import java.nio.file.Path;
import s3csi.testbed.contender.Contender;

/** One contender's go at a job; rounds before the first measured one count too. */
record Turn(Path mount, Contender contender, int round) {}
