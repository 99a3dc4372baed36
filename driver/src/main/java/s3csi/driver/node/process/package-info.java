/**
 * Engines as child processes of the driver, which outlive it: the pod mounter without Kubernetes. {@code ProcessMounter} decides which
 * targets share a source, {@code SourceKeeper} brings a source up and down, {@code SpawnedEngines} starts processes and finds them again
 * by what the kernel says of them ({@code EngineProgram}): anybody may run a process that looks like an engine.
 *
 * <p>What a source was made for and how its targets were published is on disk beside it ({@code SourceDirectory}, {@code TargetNotes}).
 */
@NullMarked
package s3csi.driver.node.process;

import org.jspecify.annotations.NullMarked;
