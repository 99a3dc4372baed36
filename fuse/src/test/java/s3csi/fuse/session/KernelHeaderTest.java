package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.fuse.Capability;
import s3csi.fuse.Operation;
import s3csi.fuse.session.FakeDevice.Bytes;

/**
 * The bytes that the tests of the wire format use, against the same structures filled by a C compiler from the kernel's own
 * header. What is newer than the installed header cannot be compared here.
 */
class KernelHeaderTest {
    @TempDir
    Path directory;

    private static final String ATTR = "{.ino=11,.size=12,.blocks=13,.atime=14,.mtime=16,.ctime=18,.atimensec=15,"
            + ".mtimensec=17,.ctimensec=19,.mode=0100644,.nlink=20,.uid=21,.gid=22,.rdev=23,.blksize=24}";

    private static final String PROLOGUE =
            "#include <stdio.h>\n#include <linux/fuse.h>\nint main(void) {\n  unsigned long long n = 0;\n";
    private static final String EPILOGUE = "  return n != n;\n}\n";

    private static Bytes bytes() {
        return new Bytes();
    }

    private static Bytes attributes() {
        Bytes bytes = bytes().int64(11).int64(12).int64(13).int64(14).int64(16).int64(18);
        return bytes.int32(15)
                .int32(17)
                .int32(19)
                .int32(0100644)
                .int32(20)
                .int32(21)
                .int32(22)
                .int32(23)
                .int32(24)
                .int32(0);
    }

    private static Map<String, byte[]> structures() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put(
                "struct fuse_in_header = {.len=40,.opcode=15,.unique=5,.nodeid=42,.uid=1001,.gid=1002,.pid=1003}",
                FakeDevice.request(15, 5, new byte[0]));
        all.put("struct fuse_out_header = {.len=16,.error=-2,.unique=9}", WireTest.answer(9, -2, new byte[0]));
        all.put("struct fuse_attr = " + ATTR, attributes().done());
        all.put(
                "struct fuse_entry_out = {.nodeid=31,.generation=32,.entry_valid=33,.attr_valid=35,.entry_valid_nsec=34,"
                        + ".attr_valid_nsec=36,.attr=" + ATTR + "}",
                bytes().int64(31)
                        .int64(32)
                        .int64(33)
                        .int64(35)
                        .int32(34)
                        .int32(36)
                        .raw(attributes().done())
                        .done());
        all.put(
                "struct fuse_attr_out = {.attr_valid=41,.attr_valid_nsec=42,.attr=" + ATTR + "}",
                bytes().int64(41).int32(42).int32(0).raw(attributes().done()).done());
        all.put(
                "struct fuse_open_out = {.fh=51,.open_flags=52}",
                bytes().int64(51).int32(52).int32(0).done());
        all.put(
                "struct fuse_statfs_out = {.st={.blocks=71,.bfree=72,.bavail=73,.files=74,.ffree=75,.bsize=76,.namelen=77,"
                        + ".frsize=78}}",
                bytes().int64(71)
                        .int64(72)
                        .int64(73)
                        .int64(74)
                        .int64(75)
                        .int32(76)
                        .int32(77)
                        .int32(78)
                        .zeroes(28)
                        .done());
        all.put("struct fuse_write_out = {.size=61}", bytes().int32(61).int32(0).done());
        all.put(
                "struct fuse_getxattr_out = {.size=5}",
                bytes().int32(5).int32(0).done());
        all.put("struct fuse_lseek_out = {.offset=81}", bytes().int64(81).done());
        all.put(
                "struct fuse_read_in = {.fh=1,.offset=2,.size=100,.flags=3}",
                bytes().int64(1)
                        .int64(2)
                        .int32(100)
                        .int32(0)
                        .int64(0)
                        .int32(3)
                        .int32(0)
                        .done());
        all.put(
                "struct fuse_write_in = {.fh=1,.offset=2,.size=3,.write_flags=1,.flags=4}",
                bytes().int64(1)
                        .int64(2)
                        .int32(3)
                        .int32(1)
                        .int64(0)
                        .int32(4)
                        .int32(0)
                        .done());
        all.put(
                "struct fuse_setattr_in = {.valid=0x7ff,.fh=1,.size=2,.lock_owner=3,.atime=4,.mtime=5,.ctime=6,.atimensec=7,"
                        + ".mtimensec=8,.ctimensec=9,.mode=10,.uid=11,.gid=12}",
                FakeDevice.setattr().done());
        all.put(
                "struct fuse_getattr_in = {.getattr_flags=1,.fh=5}",
                bytes().int32(1).int32(0).int64(5).done());
        all.put(
                "struct fuse_mknod_in = {.mode=0100600,.rdev=1,.umask=022}",
                bytes().int32(0100600).int32(1).int32(022).int32(0).done());
        all.put(
                "struct fuse_mkdir_in = {.mode=0700,.umask=022}",
                bytes().int32(0700).int32(022).done());
        all.put("struct fuse_rename_in = {.newdir=9}", bytes().int64(9).done());
        all.put(
                "struct fuse_rename2_in = {.newdir=9,.flags=2}",
                bytes().int64(9).int32(2).int32(0).done());
        all.put("struct fuse_link_in = {.oldnodeid=9}", bytes().int64(9).done());
        all.put(
                "struct fuse_open_in = {.flags=0100001}",
                bytes().int32(0100001).int32(0).done());
        all.put(
                "struct fuse_create_in = {.flags=0101,.mode=0100644,.umask=022}",
                bytes().int32(0101).int32(0100644).int32(022).int32(0).done());
        all.put(
                "struct fuse_release_in = {.fh=1,.flags=2,.release_flags=1,.lock_owner=3}",
                bytes().int64(1).int32(2).int32(1).int64(3).done());
        all.put(
                "struct fuse_flush_in = {.fh=1,.lock_owner=8}",
                bytes().int64(1).int32(0).int32(0).int64(8).done());
        all.put(
                "struct fuse_fsync_in = {.fh=1,.fsync_flags=1}",
                bytes().int64(1).int32(1).int32(0).done());
        all.put(
                "struct fuse_getxattr_in = {.size=64}",
                bytes().int32(64).int32(0).done());
        all.put("struct fuse_access_in = {.mask=4}", bytes().int32(4).int32(0).done());
        all.put(
                "struct fuse_fallocate_in = {.fh=1,.offset=2,.length=3,.mode=4}",
                bytes().int64(1).int64(2).int64(3).int32(4).int32(0).done());
        all.put(
                "struct fuse_lseek_in = {.fh=1,.offset=2,.whence=3}",
                bytes().int64(1).int64(2).int32(3).int32(0).done());
        all.put(
                "struct fuse_copy_file_range_in = {.fh_in=1,.off_in=2,.nodeid_out=3,.fh_out=4,.off_out=5,.len=6}",
                bytes().int64(1)
                        .int64(2)
                        .int64(3)
                        .int64(4)
                        .int64(5)
                        .int64(6)
                        .int64(0)
                        .done());
        all.put("struct fuse_forget_in = {.nlookup=3}", bytes().int64(3).done());
        all.put(
                "struct fuse_batch_forget_in = {.count=2}",
                bytes().int32(2).int32(0).done());
        all.put(
                "struct fuse_forget_one = {.nodeid=7,.nlookup=1}",
                bytes().int64(7).int64(1).done());
        all.put("struct fuse_interrupt_in = {.unique=4711}", bytes().int64(4711).done());
        all.put(
                "struct fuse_init_in = {.major=7,.minor=45,.max_readahead=131072,.flags=3,.flags2=4}",
                WireTest.init(45, 0x4_0000_0003L));
        all.put(
                "struct fuse_init_out = {.major=7,.minor=45,.max_readahead=131072,.flags=3,.max_background=64,"
                        + ".congestion_threshold=48,.max_write=1048576,.time_gran=1,.max_pages=256,.flags2=4}",
                bytes().int32(7)
                        .int32(45)
                        .int32(131072)
                        .int32(3)
                        .int16(64)
                        .int16(48)
                        .int32(1 << 20)
                        .int32(1)
                        .int16(256)
                        .int16(0)
                        .int32(4)
                        .zeroes(28)
                        .done());
        all.put(
                "struct fuse_dirent = {.ino=91,.off=1,.namelen=2,.type=4}",
                bytes().int64(91).int64(1).int32(2).int32(4).done());
        all.put(
                "struct fuse_notify_inval_inode_out = {.ino=1,.off=2,.len=3}",
                bytes().int64(1).int64(2).int64(3).done());
        all.put(
                "struct fuse_notify_inval_entry_out = {.parent=1,.namelen=2,.flags=1}",
                bytes().int64(1).int32(2).int32(1).done());
        all.put(
                "struct fuse_notify_delete_out = {.parent=1,.child=2,.namelen=3}",
                bytes().int64(1).int64(2).int32(3).int32(0).done());
        all.put(
                "struct fuse_notify_store_out = {.nodeid=1,.offset=2,.size=3}",
                bytes().int64(1).int64(2).int32(3).int32(0).done());
        return all;
    }

    @Test
    void structuresHaveTheBytesOfTheKernelsHeader() throws Exception {
        StringBuilder source = new StringBuilder(PROLOGUE);
        structures()
                .keySet()
                .forEach(each -> source.append("  { ")
                        .append(each.replace(" = ", " s = "))
                        .append("; fwrite(&s, sizeof s, 1, stdout); }\n"));
        ByteBuffer theirs = run(source.append(EPILOGUE).toString());
        structures().forEach((structure, ours) -> {
            byte[] same = new byte[ours.length];
            theirs.get(same);
            assertThat(ours).as(structure).isEqualTo(same);
        });
        assertThat(theirs.hasRemaining()).isFalse();
    }

    @Test
    void numbersOfOperationsAndCapabilitiesAreTheKernels() throws Exception {
        Map<String, Long> ours = new LinkedHashMap<>();
        for (Operation operation : Operation.values()) {
            ours.put("FUSE_" + operation, (long) operation.code());
        }
        for (Capability capability : Capability.values()) {
            ours.put("FUSE_" + capability, capability.mask());
        }
        // Newer than the header of some distributions.
        List.of(
                        "STATX",
                        "COPY_FILE_RANGE_64",
                        "CREATE_SUPP_GROUP",
                        "DIRECT_IO_ALLOW_MMAP",
                        "PASSTHROUGH",
                        "NO_EXPORT_SUPPORT",
                        "HAS_RESEND",
                        "ALLOW_IDMAP",
                        "OVER_IO_URING",
                        "REQUEST_TIMEOUT")
                .forEach(newer -> ours.remove("FUSE_" + newer));
        assertThat(ours).hasSizeGreaterThan(80);
        StringBuilder source = new StringBuilder(PROLOGUE);
        ours.keySet()
                .forEach(each -> source.append("  n = ").append(each).append("; fwrite(&n, sizeof n, 1, stdout);\n"));
        ByteBuffer theirs = run(source.append(EPILOGUE).toString());
        ours.forEach((name, value) -> assertThat(theirs.getLong()).as(name).isEqualTo(value));
    }

    private ByteBuffer run(String source) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("structures.c"), source);
        Path program = directory.resolve("structures");
        execute(List.of("cc", "-o", program.toString(), file.toString()));
        return ByteBuffer.wrap(execute(List.of(program.toString()))).order(ByteOrder.nativeOrder());
    }

    private static byte[] execute(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new AssertionError(
                    "cannot run " + command.getFirst()
                            + ": this test compares with C; install a C compiler (package gcc)",
                    e);
        }
        byte[] output = process.getInputStream().readAllBytes();
        assertThat(process.waitFor())
                .as(new String(output, StandardCharsets.UTF_8))
                .isZero();
        return output;
    }
}
