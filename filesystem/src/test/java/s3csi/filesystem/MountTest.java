package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.inode.MetadataCaching;
import s3csi.filesystem.inode.TimeToLive;
import s3csi.filesystem.testing.RealMount;
import s3csi.linux.Processes;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.MemoryObjectStore;

/** What users do, with the programs they use, through the real kernel. */
@Tag("engine")
class MountTest {
    private static final FileSystemConfig.Permissions ALL =
            new FileSystemConfig.Permissions(false, true, true, false, false);

    private static FileSystemConfig config(FileSystemConfig.Permissions permissions) {
        return FileSystemConfig.defaults(0, 0).withPermissions(permissions);
    }

    private static RealMount mount(FileSystemConfig.Permissions permissions) throws Exception {
        return RealMount.of(config(permissions));
    }

    private static void assertOutput(RealMount mount, String script, String output) throws Exception {
        RealMount.Ran ran = mount.run(script);
        assertThat(ran.output()).as(script).isEqualTo(output);
        assertThat(ran.exit()).as(script).isZero();
    }

    private static void assertFails(RealMount mount, String script, String message) throws Exception {
        RealMount.Ran ran = mount.run(script);
        assertThat(ran.exit()).as(script + ": " + ran.output()).isNotZero();
        assertThat(ran.output()).as(script).contains(message);
    }

    @Test
    void treesAreListedAndRead() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            mount.memory.add("a.txt", bytes("hello\n"));
            mount.memory.add("d/e/f.txt", bytes("deep\n"));
            mount.memory.add("d/", bytes(""));

            assertOutput(mount, "ls; ls d; cat a.txt d/e/f.txt", "a.txt\nd\ne\nhello\ndeep\n");
            assertOutput(mount, "find . -type f | sort", "./a.txt\n./d/e/f.txt\n");
            assertOutput(mount, "stat -c '%s %F %a' a.txt d", "6 regular file 644\n0 directory 755\n");
            assertFails(mount, "cat nothing", "No such file or directory");
        }
    }

    @Test
    void largeFilesAreCopiedInAndOut(@TempDir Path elsewhere) throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            Path file = elsewhere.resolve("large");
            mount.run("head -c 41000000 /dev/urandom > " + file);

            assertOutput(mount, "mkdir sub && cp " + file + " sub/large && cmp " + file + " sub/large", "");
            assertThat(mount.memory.requests(StoreOperation.UPLOAD_PART)).isEqualTo(5);
            assertOutput(mount, "cp sub/large " + elsewhere + "/back && cmp " + file + " " + elsewhere + "/back", "");
        }
    }

    @Test
    void smallFilesAreMadeByEveryTool() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            assertOutput(mount, "echo one > one && cat one", "one\n");
            assertOutput(mount, "touch empty && stat -c %s empty && cat empty", "0\n");
            assertOutput(mount, "dd if=/dev/zero of=zeros bs=1000 count=3 status=none && stat -c %s zeros", "3000\n");
            assertOutput(mount, "{ echo a; (echo b); echo c; } > three && cat three", "a\nb\nc\n");
            assertOutput(
                    mount, "exec 5> shared; echo x >&5; (echo y >&5); echo z >&5; exec 5>&-; cat shared", "x\ny\nz\n");
            assertOutput(mount, "python3 -c \"open('py','w').write('p')\" && cat py", "p");
            assertThat(stored(mount, "shared")).isEqualTo("x\ny\nz\n");
            assertOutput(mount, "mkdir '日本 🙂' && echo x > '日本 🙂/אבג' && ls '日本 🙂' && cat */*", "אבג\nx\n");
            assertThat(stored(mount, "日本 🙂/אבג")).isEqualTo("x\n");
        }
    }

    @Test
    void overwritingNeedsItsOption() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            mount.memory.add("f", bytes("old"));
            assertFails(mount, "echo new > f", "Operation not permitted");
            assertFails(mount, "echo new >> f", "Operation not permitted");
            assertFails(mount, "python3 -c \"open('f', 'w+')\"", "Operation not permitted");
            assertOutput(mount, "python3 -c \"print(open('f', 'r+').read())\"", "old\n");
            assertFails(mount, "rm f", "Operation not permitted");
            assertFails(mount, "touch f", "Operation not permitted");
            assertFails(mount, "truncate -s 0 f", "Operation not permitted");
            assertFails(mount, "chmod 600 f", "Operation not permitted");
            assertFails(mount, "ln -s f g", "Operation not permitted");
            assertFails(mount, "ln f g", "Operation not permitted");
            assertFails(mount, "getfattr -n user.x f || setfattr -n user.x -v 1 f", "");
            assertThat(stored(mount, "f")).isEqualTo("old");
        }
        try (RealMount mount = mount(ALL)) {
            mount.memory.add("f", bytes("old"));
            assertOutput(mount, "echo new > f && cat f", "new\n");
            assertOutput(mount, "cat f && echo newer > f && cat f && : > f && stat -c %s f", "new\nnewer\n0\n");
            assertThat(stored(mount, "f")).isEmpty();
        }
    }

    @Test
    void filesAndDirectoriesAreRemoved() throws Exception {
        try (RealMount mount = mount(ALL)) {
            mount.memory.add("d/e/f", bytes("1"));
            mount.memory.add("d/g", bytes("2"));
            assertOutput(mount, "mkdir x && rmdir x && ls", "d\n");
            assertOutput(mount, "rm -r d && ls", "");
            assertThat(mount.memory.all()).isEmpty();
        }
    }

    @Test
    void movingCopies() throws Exception {
        try (RealMount mount = mount(ALL)) {
            mount.memory.add("from", bytes("content"));
            assertOutput(mount, "mv from to && cat to && ls", "contentto\n");
            assertThat(mount.memory.find("from")).isNull();
        }
        // Moving a directory also sets its times and owner, which must be ignored then.
        try (RealMount mount = mount(new FileSystemConfig.Permissions(false, true, true, false, true))) {
            mount.memory.add("dir/a", bytes("1"));
            mount.memory.add("dir/b", bytes("2"));
            assertOutput(mount, "mv dir other && cat other/a other/b && ls", "12other\n");
        }
    }

    @Test
    void aFileIsRenamedWhileItIsWritten() throws Exception {
        try (RealMount mount = mount(ALL)) {
            mount.memory.add("final", bytes("old"));
            String script = """
                    python3 - <<'END'
                    import os
                    with open('.final.tmp', 'w') as writer:
                        writer.write('one ')
                        writer.flush()
                        os.rename('.final.tmp', 'final')
                        print(os.listdir('.'), os.stat('final').st_size, os.fstat(writer.fileno()).st_size)
                        writer.write('two')
                    print(open('final').read(), os.listdir('.'))
                    END""";

            assertOutput(mount, script, "['final'] 4 4\none two ['final']\n");
            assertThat(stored(mount, "final")).isEqualTo("one two");
        }
    }

    @Test
    void archivesAreUnpacked(@TempDir Path elsewhere) throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            Files.createDirectories(elsewhere.resolve("t/u"));
            Files.writeString(elsewhere.resolve("t/a"), "aaa");
            Files.writeString(elsewhere.resolve("t/u/b"), "b".repeat(100_000));
            mount.run("tar -C " + elsewhere + " -cf " + elsewhere + "/t.tar t");

            assertOutput(mount, "tar -xmf " + elsewhere + "/t.tar --no-same-permissions --no-same-owner", "");
            assertOutput(mount, "diff -r t " + elsewhere + "/t && find t | sort", "t\nt/a\nt/u\nt/u/b\n");
        }
    }

    @Test
    void filesReadAgainComeFromThePageCache() throws Exception {
        MetadataCaching minute = MetadataCaching.of(new TimeToLive.For(Duration.ofMinutes(1)), null);
        try (RealMount mount =
                RealMount.of(config(FileSystemConfig.Permissions.DEFAULTS).withCaching(minute))) {
            for (int i = 0; i < 50; i++) {
                mount.memory.add("f" + i, bytes("content " + i));
            }
            RealMount.Ran first = mount.run("cat f*");
            mount.memory.forgetRequests();

            assertOutput(mount, "cat f*", first.output());

            assertThat(mount.memory.requests(StoreOperation.GET_OBJECT)).isZero();
            assertThat(mount.memory.requests(StoreOperation.HEAD_OBJECT)).isZero();
        }
    }

    @Test
    void aReadThatFindsAnotherVersionEndsTheBeliefInTheOldOne() throws Exception {
        MetadataCaching hour = MetadataCaching.of(new TimeToLive.For(Duration.ofHours(1)), null);
        try (RealMount mount = RealMount.of(config(ALL).withCaching(hour))) {
            mount.memory.add("replaced", bytes("first"));
            mount.memory.add("deleted", bytes("first"));
            assertOutput(mount, "ls", "deleted\nreplaced\n");
            mount.memory.add("replaced", bytes("second version"));
            mount.memory.delete("deleted");

            assertFails(mount, "cat replaced", "Stale file handle");
            assertFails(mount, "cat deleted", "Input/output error");

            assertOutput(mount, "cat replaced", "second version");
            assertFails(mount, "cat deleted", "No such file or directory");
        }
    }

    @Test
    void anotherVersionIsReadThoughTheOldOneIsCached() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            mount.memory.add("f", bytes("first"));
            assertOutput(mount, "cat f", "first");
            mount.memory.add("f", bytes("second version"));
            // The kernel believes the name for a tenth of a second.
            assertOutput(mount, "sleep 0.2; cat f", "second version");
        }
    }

    /** Of the same size, so that nothing but the version tells their pages apart. */
    @ParameterizedTest
    @ValueSource(strings = {"old, new, old, new", "new, old, new, old"})
    void twoVersionsThatAreOpenAtOnceDoNotShareTheirPages(String order) throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            mount.memory.add("f", bytes("1".repeat(300_000)));
            Process reader = mount.start("""
                    python3 -u -c '
                    import time
                    old = open("f", "rb", 0)
                    old.read(10)
                    print("open")
                    input()
                    # The kernel believes the name for a tenth of a second.
                    time.sleep(0.2)
                    new = open("f", "rb", 0)
                    for which in (%s):
                        which.seek(200_000)
                        try:
                            print("old" if which is old else "new", set(which.read(10)))
                        except OSError as failure:
                            print("old" if which is old else "new", failure.strerror)
                    '""".formatted(order));
            assertThat(reader.inputReader().readLine()).isEqualTo("open");

            mount.memory.add("f", bytes("2".repeat(300_000)));
            reader.outputWriter().append("\n").close();

            assertThat(reader.inputReader().lines())
                    .hasSize(4)
                    .allMatch(line -> line.matches("old (\\{49\\}|Stale file handle)|new \\{50\\}"));
        }
    }

    @Test
    void whoeverClosesAFileMayBeAnybody() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            assertOutput(
                    mount,
                    "exec 5> f; echo a >&5; unshare --pid --fork sh -c 'echo b >&5'; echo c >&5; exec 5>&-; cat f",
                    "a\nb\nc\n");
            assertOutput(mount, """
                    python3 -c '
                    import threading
                    file = open("t", "w")
                    writer = threading.Thread(target=lambda: file.write("by another"))
                    writer.start()
                    writer.join()
                    closer = threading.Thread(target=file.close)
                    closer.start()
                    closer.join()
                    print(open("t").read())
                    '""", "by another\n");
            assertThat(stored(mount, "f")).isEqualTo("a\nb\nc\n");
        }
    }

    @Test
    void anOpenFileKeepsItsAttributesWhenItsNameIsGone() throws Exception {
        try (RealMount mount = mount(ALL)) {
            mount.memory.add("removed", bytes("1"));
            mount.memory.add("replaced", bytes("first"));
            Process reader = mount.start(
                    "exec 5<removed 6<replaced; echo open; read; sleep 0.2; stat -L -c '%s %h' /dev/fd/5 /dev/fd/6;"
                            + " stat -c %s removed replaced; rm replaced; stat -L -c '%s %h' /dev/fd/6");
            assertThat(reader.inputReader().readLine()).isEqualTo("open");

            mount.memory.delete("removed");
            mount.memory.add("replaced", bytes("another"));
            // The kernel believes both names for a tenth of a second.
            reader.outputWriter().append("\n").close();

            assertThat(reader.inputReader().lines())
                    .containsExactly(
                            "1 1", "5 1", "stat: cannot statx 'removed': No such file or directory", "7", "5 0");
        }
    }

    @Test
    void anUploadErrorReachesTheProgram() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            mount.faults.always(StoreOperation.PUT_OBJECT, new Fault.Fail(new StoreFailure.ServerError()));
            assertFails(mount, "cp /etc/hostname f", "Input/output error");
            mount.faults.always(
                    StoreOperation.PUT_OBJECT,
                    new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));
            assertFails(mount, "cp /etc/hostname g", "Permission denied");
            mount.faults.heal();
            assertOutput(mount, "ls", "");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"w", "a", "x"})
    void aFileThatCouldNotBeStoredIsMadeAnewAtOnce(String mode) throws Exception {
        MetadataCaching hour = MetadataCaching.of(new TimeToLive.For(Duration.ofHours(1)), null);
        for (FileSystemConfig config : List.of(config(ALL), config(ALL).withCaching(hour))) {
            try (RealMount mount = RealMount.of(config)) {
                mount.faults.at(StoreOperation.PUT_OBJECT, 1, new Fault.Fail(new StoreFailure.ServerError()));
                // The kernel remembers the name, and the number that stands for nothing any more.
                assertOutput(mount, """
                        python3 -c '
                        def store():
                            with open("f", "%s") as file:
                                file.write("content")
                        try:
                            store()
                        except OSError as failure:
                            print(failure.strerror)
                        store()
                        '; cat f""".formatted(mode), "Input/output error\ncontent");
            }
        }
    }

    @Test
    void writesOutOfOrderAreInvalid() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            assertFails(
                    mount,
                    "python3 -c \"f=open('f','wb',0); f.write(b'abc'); f.seek(1); f.write(b'x')\"",
                    "Invalid argument");
            assertFails(mount, "cat f", "No such file or directory");
        }
    }

    @Test
    void aReaderThatWaitsForTheStoreCanBeKilled() throws Exception {
        try (RealMount mount = mount(FileSystemConfig.Permissions.DEFAULTS)) {
            mount.memory.add("f", bytes("content"));
            Fault.Hold hold = Fault.Hold.once();
            mount.faults.always(StoreOperation.GET_OBJECT, hold);
            Process reader = mount.start("exec cat f");
            assertThat(hold.reached().await(30, TimeUnit.SECONDS)).isTrue();

            Processes.kill(reader.pid(), Processes.SIGKILL);

            assertThat(reader.waitFor(30, TimeUnit.SECONDS)).isTrue();
            hold.released().countDown();
            mount.faults.heal();
            assertOutput(mount, "cat f", "content");
        }
    }

    @Test
    void hugeDirectoriesAreListed() throws Exception {
        MemoryObjectStore store = new MemoryObjectStore();
        for (int i = 0; i < 20_000; i++) {
            store.add("many/f" + i, bytes(""));
        }
        try (RealMount mount = RealMount.of(config(FileSystemConfig.Permissions.DEFAULTS), store)) {
            assertOutput(mount, "ls -f many | wc -l; ls -l many | wc -l", "20002\n20001\n");
            assertOutput(mount, "ls many | head -1", "f0\n");
        }
    }

    @Test
    void manyProcessesWriteAndReadAtOnce() throws Exception {
        try (RealMount mount = mount(ALL)) {
            assertOutput(
                    mount,
                    "for i in $(seq 20); do (mkdir -p p$((i % 4)); head -c $((i * 100000)) /dev/zero > p$((i % 4))/f$i) & done;"
                            + " wait; cat p*/f* | wc -c; rm -r p*; ls",
                    "21000000\n");
            assertThat(mount.session.counters().handlerFailures()).isZero();
        }
    }

    @Test
    void whatWasClosedIsStoredWhenTheMountGoesAway() throws Exception {
        MemoryObjectStore store = new MemoryObjectStore();
        try (RealMount mount = RealMount.of(config(FileSystemConfig.Permissions.DEFAULTS), store)) {
            assertOutput(mount, "touch a b c; echo x > d", "");
        }
        assertThat(store.all()).hasSize(4);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private static String stored(RealMount mount, String key) throws IOException {
        var object = Objects.requireNonNull(mount.memory.find(key));
        byte[] bytes = new byte[(int) object.content().size()];
        object.content().read(0, java.lang.foreign.MemorySegment.ofArray(bytes));
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
}
