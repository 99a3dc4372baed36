package s3csi.mounter.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.fuse.session.AnsweredRequest;
import s3csi.linux.Errno;
import s3csi.s3.Quoted;

/** With {@code --debug}, a line for every request of the kernel that has an answer: what was asked, and what came of it. */
public final class RequestLog {
    private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

    private RequestLog() {}

    /** Asked for every request: a look at the level, nothing more. */
    public static boolean isOn() {
        return LOG.isDebugEnabled();
    }

    public static void write(AnsweredRequest request) {
        LOG.debug("{}", text(request));
    }

    private static String text(AnsweredRequest request) {
        StringBuilder line = new StringBuilder(120).append(request.operation().label());
        line.append(" req=").append(request.unique());
        line.append(" ino=").append(request.node());
        line.append(" pid=").append(request.pid());
        if (request.name() != null) {
            line.append(" name=").append(Quoted.text(request.name()));
        }
        if (request.newName() != null) {
            line.append(" newname=").append(Quoted.text(request.newName()));
        }
        if (request.size() != 0) {
            line.append(" offset=").append(request.offset()).append(" length=").append(request.size());
        }
        if (request.errno() == 0) {
            line.append(": ok, ").append(request.bytes()).append(" bytes");
        } else {
            line.append(": ").append(Errno.name(request.errno()));
        }
        return line.append(" in ").append(request.nanos() / 1000).append(" us").toString();
    }
}
