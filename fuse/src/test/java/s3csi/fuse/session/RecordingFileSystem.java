package s3csi.fuse.session;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import s3csi.fuse.Attributes;
import s3csi.fuse.AttributesReply;
import s3csi.fuse.CreateReply;
import s3csi.fuse.DataReply;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.DirectoryReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.Entry;
import s3csi.fuse.EntryReply;
import s3csi.fuse.ExtendedAttributeReply;
import s3csi.fuse.FileSystem;
import s3csi.fuse.FileSystemStatistics;
import s3csi.fuse.LinkTargetReply;
import s3csi.fuse.OffsetReply;
import s3csi.fuse.OpenReply;
import s3csi.fuse.Reply;
import s3csi.fuse.StatisticsReply;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;

/** Writes down each call with its arguments and gives the same answer to every call of a kind. */
final class RecordingFileSystem {
    static final Attributes ATTRIBUTES = new Attributes(
            11,
            12,
            13,
            Instant.ofEpochSecond(14, 15),
            Instant.ofEpochSecond(16, 17),
            Instant.ofEpochSecond(18, 19),
            0100644,
            20,
            21,
            22,
            23,
            24);
    static final Entry ENTRY = new Entry(31, 32, ATTRIBUTES, 33_000_000_034L, 35_000_000_036L);
    static final MemorySegment DATA = Arena.global().allocateFrom("0123456789");

    final List<String> calls = new CopyOnWriteArrayList<>();

    FileSystem fileSystem() {
        return (FileSystem) Proxy.newProxyInstance(
                FileSystem.class.getClassLoader(), new Class<?>[] {FileSystem.class}, (proxy, method, arguments) -> {
                    record(method, arguments);
                    return null;
                });
    }

    private void record(Method method, Object[] arguments) {
        if (method.getName().equals("started") || method.getName().equals("ended")) {
            return;
        }
        List<String> texts = new ArrayList<>();
        for (Object argument : arguments) {
            if (!(argument instanceof Reply)) {
                texts.add(text(argument));
            }
        }
        calls.add(method.getName() + "(" + String.join(", ", texts) + ")");
        if (arguments[arguments.length - 1] instanceof Reply reply) {
            calls.add("caller " + reply.uid() + " " + reply.gid() + " " + reply.pid());
            answer(method.getParameterTypes()[arguments.length - 1], reply);
        }
    }

    private static String text(Object argument) {
        return switch (argument) {
            case WriteData data ->
                new String(data.bytes().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8) + "#" + data.size();
            case byte[] bytes -> Arrays.toString(bytes);
            default -> argument.toString();
        };
    }

    private static void answer(Class<?> type, Reply reply) {
        if (type == EmptyReply.class) {
            ((EmptyReply) reply).done();
        } else if (type == EntryReply.class) {
            ((EntryReply) reply).entry(ENTRY);
        } else if (type == AttributesReply.class) {
            ((AttributesReply) reply).attributes(ATTRIBUTES, 41_000_000_042L);
        } else if (type == OpenReply.class) {
            ((OpenReply) reply).opened(51, 52);
        } else if (type == CreateReply.class) {
            ((CreateReply) reply).created(ENTRY, 51, 52);
        } else if (type == DataReply.class) {
            ((DataReply) reply).add(DATA, 2, 3).add(DATA, 0, 1).send();
        } else if (type == WriteReply.class) {
            ((WriteReply) reply).written(61);
        } else if (type == StatisticsReply.class) {
            ((StatisticsReply) reply).statistics(new FileSystemStatistics(71, 72, 73, 74, 75, 76, 77, 78));
        } else if (type == LinkTargetReply.class) {
            ((LinkTargetReply) reply).target("to/where");
        } else if (type == OffsetReply.class) {
            ((OffsetReply) reply).offset(81);
        } else if (type == ExtendedAttributeReply.class) {
            ExtendedAttributeReply value = (ExtendedAttributeReply) reply;
            if (value.wantsSize()) {
                value.size(5);
            } else {
                value.value("value".getBytes(StandardCharsets.UTF_8));
            }
        } else if (type == DirectoryReply.class) {
            DirectoryReply listing = (DirectoryReply) reply;
            listing.add("ab", 91, Attributes.DIRECTORY, 1);
            listing.add("12345678", 92, Attributes.REGULAR_FILE, 2);
            listing.send();
        } else if (type == DirectoryPlusReply.class) {
            DirectoryPlusReply listing = (DirectoryPlusReply) reply;
            listing.addName("..", 91, Attributes.DIRECTORY, 1);
            listing.add("c", ENTRY, 2);
            listing.send();
        } else {
            throw new AssertionError("no answer for " + type);
        }
    }
}
