package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.RealMount;
import s3csi.linux.Processes;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.StoredObject;

/** Files that several programs have open, through the real kernel with its pages, its numbers and its mappings. */
@Tag("engine")
class OpenFileMountTest {
    private static final FileSystemConfig.Permissions ALL =
            new FileSystemConfig.Permissions(false, true, true, true, false);

    /** Larger than what is fetched ahead, so that most of it is not in memory after the first read. */
    private static final int LARGE = 3 << 20;

    private static RealMount mount(FileSystemConfig.Permissions permissions) throws Exception {
        return RealMount.of(FileSystemConfig.defaults(0, 0).withPermissions(permissions));
    }

    private static String output(RealMount mount, String program) throws Exception {
        RealMount.Ran ran = mount.run("python3 -u - <<'END'\n" + program + "\nEND");
        assertThat(ran.exit()).as(ran.output()).isZero();
        return ran.output();
    }

    private static String stored(RealMount mount, String key) {
        StoredObject object = mount.memory.find(key);
        if (object == null) {
            return "nothing";
        }
        byte[] bytes = new byte[(int) object.content().size()];
        object.content().read(0, java.lang.foreign.MemorySegment.ofArray(bytes));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    // ---- removing

    @ParameterizedTest
    @MethodSource("s3csi.filesystem.RemovedWhileWrittenTest#refusals")
    void aWriterGoesOnWhenTheStoreDoesNotDelete(Fault refusal) throws Exception {
        try (RealMount mount = mount(ALL)) {
            mount.faults.always(StoreOperation.DELETE_OBJECT, refusal);

            String printed = output(mount, """
                    import os
                    writer = open('f', 'wb', 0)
                    writer.write(b'one ')
                    try:
                        os.unlink('f')
                    except OSError as failure:
                        print('refused')
                    writer.write(b'two')
                    os.fsync(writer.fileno())
                    writer.close()
                    print(os.listdir('.'), open('f').read())""");

            assertThat(printed).isEqualTo("refused\n['f'] one two\n");
            assertThat(stored(mount, "f")).isEqualTo("one two");
        }
    }

    @Test
    void aWriterGoesOnWhenWhoRemovesTheFileIsKilled() throws Exception {
        try (RealMount mount = mount(ALL)) {
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.at(StoreOperation.DELETE_OBJECT, 1, hold);
            Process writer =
                    mount.start("exec 5> f; echo one >&5; echo open; read; echo two >&5 && exec 5>&- && cat f");
            assertThat(writer.inputReader().readLine()).isEqualTo("open");
            Process remover = mount.start("exec rm f");
            assertThat(hold.reached().await(30, TimeUnit.SECONDS)).isTrue();

            Processes.kill(remover.pid(), Processes.SIGKILL);

            assertThat(remover.waitFor(30, TimeUnit.SECONDS)).isTrue();
            writer.outputWriter().append("\n").close();
            assertThat(writer.inputReader().lines()).containsExactly("one", "two");
            assertThat(stored(mount, "f")).isEqualTo("one\ntwo\n");
            hold.released().countDown();
        }
    }

    // ---- mapping

    @Test
    void aStoredFileIsNotMappedToBeChanged() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            mount.memory.add("f", "old".getBytes(StandardCharsets.UTF_8));

            String printed = output(mount, """
                    import mmap, os
                    reader = open('f', 'rb', 0)
                    print(reader.read())
                    both = os.open('f', os.O_RDWR)
                    try:
                        with mmap.mmap(both, 3) as changed:
                            changed[0:3] = b'new'
                    except OSError as failure:
                        print(failure.strerror)
                    print(os.read(both, 10))
                    with mmap.mmap(both, 3, access=mmap.ACCESS_COPY) as own:
                        own[0:3] = b'own'
                    os.close(both)
                    reader.seek(0)
                    print(reader.read(), open('f', 'rb').read())
                    with open('f', 'rb') as again, mmap.mmap(again.fileno(), 0, access=mmap.ACCESS_READ) as shared:
                        print(shared[0:3])""");

            assertThat(printed).isEqualTo("b'old'\nNo such device\nb'old'\nb'old' b'old'\nb'old'\n");
        }
    }

    @Test
    void aFileThatIsWrittenIsNotMappedAndIsStoredAllTheSame() throws Exception {
        try (RealMount mount = mount(ALL)) {
            mount.memory.add("log", "old ".getBytes(StandardCharsets.UTF_8));

            String printed = output(mount, """
                    import mmap, os
                    for name, flags in (('f', os.O_CREAT), ('log', os.O_APPEND), ('log', os.O_TRUNC)):
                        both = os.open(name, os.O_RDWR | flags)
                        os.write(both, b'new')
                        try:
                            mmap.mmap(both, 3)[0:3] = b'bad'
                        except OSError as failure:
                            print(failure.strerror)
                        os.close(both)
                        print(open(name).read())""");

            assertThat(printed).isEqualTo("No such device\nnew\nNo such device\nold new\nNo such device\nnew\n");
        }
    }

    @Test
    void whoReadsANewFileBeforeWritingItFindsItEmpty() throws Exception {
        try (RealMount mount = mount(ALL)) {
            String printed = output(mount, """
                    with open('f', 'w+b', 0) as both:
                        print(both.read(10))
                        both.write(b'new')
                        print(both.read(10))
                    print(open('f').read())""");

            assertThat(printed).isEqualTo("b''\nb''\nnew\n");
        }
    }

    // ---- one descriptor, one version

    /** What a program prints of the bytes that a descriptor gives: the letters it found, or the error. */
    private static final String SEEN = """
            import errno, os, subprocess, sys
            def seen(file):
                try:
                    letters = set()
                    for at in range(0, %d, 65536):
                        letters |= set(os.pread(file, 65536, at).decode())
                    return ''.join(sorted(letters))
                except OSError as failure:
                    return errno.errorcode[failure.errno]
            def child_closes(file):
                if os.fork() == 0:
                    os.close(file)
                    os._exit(0)
                os.wait()
            """.formatted(LARGE);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoStillReadsAFileThatIsReplacedReadsOneVersion(boolean fails) throws Exception {
        try (RealMount mount = mount(ALL)) {
            mount.memory.add("f", "1".repeat(LARGE).getBytes(StandardCharsets.UTF_8));
            if (fails) {
                mount.faults.always(StoreOperation.PUT_OBJECT, new Fault.Fail(new StoreFailure.ServerError()));
            }

            String printed = output(mount, SEEN + """
                    reader = os.open('f', os.O_RDONLY)
                    first = os.pread(reader, 10, 0).decode()
                    child_closes(reader)
                    subprocess.run(['sh', '-c', "head -c %d /dev/zero | tr '\\\\0' 2 > f"], stderr=subprocess.DEVNULL)
                    again = os.open('f', os.O_RDONLY)
                    print(seen(again))
                    print(set(first), seen(reader), os.fstat(reader).st_size)
                    print(seen(again))""".formatted(LARGE));

            String now = fails ? "1" : "2";
            assertThat(printed).matches(now + "\n\\{'1'\\} (1|ESTALE) " + LARGE + "\n" + now + "\n");
        }
    }

    @Test
    void whoReadsAFileBetweenTwoWritesOfAnotherReadsOneVersion() throws Exception {
        try (RealMount mount = mount(ALL)) {
            String printed = output(mount, SEEN + """
                    writer = os.open('f', os.O_CREAT | os.O_WRONLY)
                    os.write(writer, b'1' * 5000)
                    os.fsync(writer)
                    reader = os.open('f', os.O_RDONLY)
                    first = os.pread(reader, 10, 0).decode()
                    os.write(writer, b'2' * 5000)
                    print(set(first), seen(reader), os.fstat(reader).st_size, os.fstat(writer).st_size)
                    os.close(writer)
                    print(seen(reader), os.fstat(reader).st_size)
                    print(seen(os.open('f', os.O_RDONLY)), os.stat('f').st_size)""");

            assertThat(printed).matches("\\{'1'\\} (1|ESTALE) 5000 10000\n(1|ESTALE) 5000\n12 10000\n");
        }
    }

    @Test
    void whatAnOpenWriterHasStoredIsReadEachTime() throws Exception {
        try (RealMount mount = mount(ALL)) {
            RealMount.Ran ran =
                    mount.run("exec 5> f; for i in $(seq 30); do echo $i >&5; tail -n 1 f; stat -c %s f > /dev/null;"
                            + " done; exec 5>&-; wc -l < f");
            StringBuilder expected = new StringBuilder();
            for (int i = 1; i <= 30; i++) {
                expected.append(i).append('\n');
            }
            assertThat(ran.output()).isEqualTo(expected + "30\n");
        }
    }

    // ---- directories

    @Test
    void aDirectoryThatIsBeingReadShowsWhatIsInIt() throws Exception {
        try (RealMount mount = mount(ALL)) {
            String printed = output(mount, """
                    import os
                    os.mkdir('a')
                    os.mkdir('b')
                    with open('a/tmp', 'w') as writer:
                        reading = os.scandir('a')
                        os.rename('a/tmp', 'b/final')
                        print([each.name for each in reading])
                    print(os.listdir('a'), os.listdir('b'))""");

            assertThat(printed).isEqualTo("[]\n[] ['final']\n");
        }
    }
}
