package s3csi.fuse.session;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import s3csi.fuse.Notifications;
import s3csi.fuse.wire.NotificationBytes;
import s3csi.fuse.wire.ReplyBytes;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;

/** Notifications written to the device, each in an outbox of its own. */
final class DeviceNotifications implements Notifications {
    private static final int LONGEST_NAME = 4096;

    private final Connection connection;

    DeviceNotifications(Connection connection) {
        this.connection = connection;
    }

    @Override
    public boolean invalidateInode(long node, long offset, long length) throws LinuxException {
        return send(
                NotificationBytes.INVALIDATE_INODE,
                "of node " + node,
                box -> box.add(NotificationBytes.inode(box.memory(), Outbox.BODY, node, offset, length)));
    }

    @Override
    public boolean invalidateEntry(long parent, String name) throws LinuxException {
        return entry(parent, name, 0);
    }

    @Override
    public boolean expireEntry(long parent, String name) throws LinuxException {
        return entry(parent, name, NotificationBytes.EXPIRE_ONLY);
    }

    private boolean entry(long parent, String name, int flags) throws LinuxException {
        byte[] bytes = nameBytes(name);
        return send(
                NotificationBytes.INVALIDATE_ENTRY,
                "of a name in node " + parent,
                box -> box.add(NotificationBytes.entry(box.memory(), Outbox.BODY, parent, bytes, flags)));
    }

    @Override
    public boolean deleteEntry(long parent, long child, String name) throws LinuxException {
        byte[] bytes = nameBytes(name);
        return send(
                NotificationBytes.DELETE,
                "of a name in node " + parent,
                box -> box.add(NotificationBytes.deleted(box.memory(), Outbox.BODY, parent, child, bytes)));
    }

    @Override
    public boolean prune(long[] nodes) throws LinuxException {
        if (nodes.length > MOST_PRUNED) {
            throw new IllegalArgumentException("one notification names at most " + MOST_PRUNED + " nodes");
        }
        try {
            return send(
                    NotificationBytes.PRUNE,
                    "of " + nodes.length + " nodes",
                    box -> box.add(NotificationBytes.prune(box.memory(), Outbox.BODY, nodes)));
        } catch (LinuxException e) {
            // What older kernels say about a notification that they do not know.
            if (e.errno() == Errno.EINVAL) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean store(long node, long fileOffset, MemorySegment bytes, long from, long length)
            throws LinuxException {
        return send(NotificationBytes.STORE, "for node " + node, box -> {
            box.add(NotificationBytes.store(box.memory(), Outbox.BODY, node, fileOffset, Math.toIntExact(length)));
            box.add(bytes, from, length);
        });
    }

    @Override
    public boolean resend() throws LinuxException {
        return send(NotificationBytes.RESEND, "", box -> {});
    }

    private static byte[] nameBytes(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST_NAME) {
            throw new IllegalArgumentException("a name of " + bytes.length + " bytes cannot be known to the kernel");
        }
        return bytes;
    }

    /** What goes behind the header. */
    private record Body(Outbox box) {
        MemorySegment memory() {
            return box.fixed;
        }

        void add(int bytes) {
            box.vector.add(box.fixed, Outbox.BODY, bytes);
        }

        void add(MemorySegment bytes, long from, long length) {
            box.vector.add(bytes, from, length);
        }
    }

    @FunctionalInterface
    private interface Filling {
        void into(Body body);
    }

    private boolean send(int code, String subject, Filling filling) throws LinuxException {
        Outbox box = connection.outboxes.take();
        try {
            box.begin();
            filling.into(new Body(box));
            ReplyBytes.header(box.fixed, box.vector.bytes(), code, 0);
            int result = connection.device.write(box.vector);
            return switch (-result) {
                case 0 -> true;
                case Errno.ENOENT, Errno.ENODEV, Errno.ENOTCONN, Errno.ECONNABORTED -> false;
                default -> throw new LinuxException("FUSE notification " + code, subject, -result);
            };
        } finally {
            connection.outboxes.giveBack(box);
        }
    }
}
