package s3csi.fuse.session;

/**
 * What a session has counted since it began, and what it holds at the moment.
 *
 * @param requests requests read, without FORGETs and INTERRUPTs
 * @param forgets nodes forgotten, each of a batch counted
 * @param interrupts interrupts read
 * @param cancelled requests cancelled because the process that waited for them was being killed
 * @param errors answers with an error
 * @param handlerFailures handlers that threw, returned without an answer, or reported a fault: each was answered EIO
 * @param pending requests handed over and not answered yet
 * @param keptBytes bytes of WRITEs that handlers keep
 */
public record SessionCounters(
        long requests,
        long forgets,
        long interrupts,
        long cancelled,
        long errors,
        long handlerFailures,
        long pending,
        long keptBytes) {}
