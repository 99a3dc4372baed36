package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.RealMount;

/**
 * The same random calls on a mount and in a directory of a local disk, through the kernel and its page cache: what the mount does not
 * refuse for a reason that is written down comes to the same there. Descriptors are duplicated and closed in any order.
 */
@Tag("engine")
class LocalDirectoryTest {
    private static final int ROUNDS = 500;

    /**
     * Each call is made on the mount first. What it refuses with reason is not made on the disk, so that both stay the same; a write
     * out of order loses the file, and ends the sequence.
     */
    private static final String PLAY = """
            python3 - "$@" <<'END'
            import errno, os, random, sys
            mount, disk, seed, rounds, appends = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5] == 'true'
            PATHS = ['a', 'b', 'c']
            compared = 0

            class Opened:
                def __init__(self, path, writes, appends):
                    self.path, self.writes, self.appends, self.flushed, self.superseded = path, writes, appends, False, False
                    self.kept = b''

            def attempt(call, *arguments):
                try:
                    return call(*arguments), None
                except OSError as failure:
                    return None, errno.errorcode[failure.errno]

            class Sequence:
                def __init__(self, seed):
                    self.random, self.story, self.slots, self.seed, self.over = random.Random(seed), [], [], seed, False

                def fail(self, why):
                    print('seed', self.seed, *self.story, '->', why, sep='\\n  ')
                    sys.exit(1)

                def both(self, what, ours, theirs, accepted=()):
                    global compared
                    self.story.append(what)
                    here, refused = attempt(*ours)
                    if refused in accepted:
                        self.story[-1] += ' refused with ' + refused
                        return None, refused
                    there, failed = attempt(*theirs)
                    compared += 1
                    if what.startswith('open'):
                        if refused != failed:
                            self.fail(f'{refused} on the mount, {failed} on the disk')
                        return (here, there), refused
                    if (here, refused) != (there, failed):
                        self.fail(f'{here!r:.80} {refused} on the mount, {there!r:.80} {failed} on the disk')
                    return here, refused

                def others(self, path):
                    return {id(o): o for _, _, o in self.slots if o.path == path}.values()

                def open(self):
                    path = self.random.choice(PATHS)
                    access = self.random.choice([os.O_RDONLY, os.O_RDONLY, os.O_WRONLY, os.O_WRONLY, os.O_RDWR])
                    flags = access | self.random.choice([0, os.O_CREAT])
                    if access != os.O_RDONLY and self.random.random() < 0.7:
                        flags |= os.O_TRUNC
                    if appends and access == os.O_WRONLY and self.random.random() < 0.7:
                        flags |= os.O_APPEND
                    exists = os.path.exists(os.path.join(disk, path))
                    writes = access == os.O_WRONLY or (access == os.O_RDWR and (bool(flags & os.O_TRUNC) or not exists))
                    users = self.others(path)
                    isRefused = (exists and access == os.O_WRONLY and not flags & os.O_TRUNC and not appends
                                 or any(o.writes and not o.flushed and not o.superseded for o in users)
                                 or writes and any(not o.flushed and not o.superseded for o in users)
                                 or access == os.O_RDONLY and flags & os.O_CREAT and not exists)
                    if access == os.O_RDONLY and flags & os.O_CREAT and not exists:
                        return
                    before = open(os.path.join(disk, path), 'rb').read() if exists else b''
                    fds, failed = self.both(f'open {path} {flags:o}', (os.open, os.path.join(mount, path), flags),
                                            (os.open, os.path.join(disk, path), flags), ('EPERM',) if isRefused else ())
                    if fds and not failed:
                        if writes:
                            for other in users:
                                if not other.superseded:
                                    other.superseded, other.kept = True, before
                        self.slots.append((*fds, Opened(path, writes, bool(flags & os.O_APPEND))))

                def use(self):
                    if not self.slots:
                        return
                    here, there, opened = self.slots[self.random.randrange(len(self.slots))]
                    users = [o for o in self.others(opened.path) if o is not opened and not o.superseded]
                    name = f'{opened.path}#{here}'
                    kind = self.random.choice(['dup', 'read', 'read', 'write', 'write', 'write', 'size', 'seek', 'close', 'close'])
                    if kind == 'dup':
                        self.story.append(f'dup {name}')
                        self.slots.append((os.dup(here), os.dup(there), opened))
                    elif kind == 'close':
                        self.slots.remove((here, there, opened))
                        self.both(f'close {name}', (os.close, here), (os.close, there))
                        opened.flushed = True
                    elif kind == 'seek':
                        if not opened.writes or self.random.random() < 0.1:
                            to = self.random.randrange(300000)
                            self.both(f'seek {name} {to}', (os.lseek, here, to, 0), (os.lseek, there, to, 0))
                    elif kind == 'size':
                        if not opened.superseded:
                            self.both(f'size {name}', (lambda: os.fstat(here).st_size,), (lambda: os.fstat(there).st_size,))
                    elif kind == 'read' and opened.superseded and not opened.writes:
                        self.read_kept(name, here, there, opened)
                    elif kind == 'read':
                        count = self.random.choice([10, 5000, 200000])
                        refusals = ('EBADF',) if opened.writes else ()
                        self.both(f'read {name} {count}', (os.read, here, count), (os.read, there, count), refusals)
                        opened.flushed = opened.flushed and opened.writes
                    elif kind == 'write':
                        if opened.writes and users:
                            # They keep the version that they opened, which a disk does not have.
                            return
                        data = self.random.randbytes(self.random.choice([1, 300, 5000, 150000]))
                        isAtEnd = opened.appends or os.lseek(there, 0, 1) == os.fstat(there).st_size
                        refusals = ('EBADF',) if not opened.writes or opened.superseded else () if isAtEnd else ('EINVAL',)
                        _, refused = self.both(f'write {name} {len(data)}', (os.write, here, data), (os.write, there, data), refusals)
                        self.over = refused == 'EINVAL'
                        opened.flushed = opened.flushed and refused is not None

                # Unlike on a disk, whoever reads has the version that was opened, or none.
                def read_kept(self, name, here, there, opened):
                    at = os.lseek(here, 0, 1)
                    count = self.random.choice([10, 5000, 200000])
                    self.story.append(f'read {name} {count} of the version before')
                    data, failed = attempt(os.read, here, count)
                    if failed not in (None, 'ESTALE') or not failed and data != opened.kept[at:at + count]:
                        self.fail(f'{data!r:.80} {failed} at {at} instead of {opened.kept[at:at + count]!r:.80}')
                    os.lseek(there, os.lseek(here, 0, 1), 0)

                def play(self):
                    for _ in range(25):
                        self.random.choice([self.open, self.use, self.use, self.use])()
                        if self.over:
                            break
                    for here, there, _ in self.slots:
                        attempt(os.close, here)
                        os.close(there)
                    if not self.over:
                        self.both('list', (lambda: sorted(os.listdir(mount)),), (lambda: sorted(os.listdir(disk)),))
                        for path in os.listdir(disk):
                            self.both(f'content of {path}', (lambda: open(os.path.join(mount, path), 'rb').read(),),
                                      (lambda: open(os.path.join(disk, path), 'rb').read(),))
                    for directory in mount, disk:
                        for path in os.listdir(directory):
                            os.unlink(os.path.join(directory, path))
                        if os.listdir(directory):
                            self.fail(f'{os.listdir(directory)} left in {directory}')

            for i in range(rounds):
                Sequence(seed + i).play()
            print(compared)
            END""";

    @ParameterizedTest(name = "files may be appended to: {0}")
    @ValueSource(booleans = {false, true})
    void whatIsNotRefusedComesToTheSameAsOnADisk(boolean appends, @TempDir Path disk) throws Exception {
        FileSystemConfig.Permissions permissions =
                FileSystemConfig.Permissions.DEFAULTS.withDelete().withOverwrite();
        FileSystemConfig config =
                FileSystemConfig.defaults(0, 0).withPermissions(appends ? permissions.withAppend() : permissions);
        // So small that files have several parts.
        config = config.withUploads(config.uploads().withPartSize(100_000));
        Path directory = Files.createDirectory(disk.resolve("disk"));
        long seed = System.nanoTime() % 1_000_000_000L;
        try (RealMount mount = RealMount.of(config)) {
            RealMount.Ran ran =
                    mount.run("set -- . '%s' %d %d %s\n%s".formatted(directory, seed, ROUNDS, appends, PLAY));

            assertThat(ran.exit()).as(ran.output()).isZero();
            assertThat(Integer.parseInt(ran.output().strip()))
                    .as("results that were compared")
                    .isGreaterThan(ROUNDS * 5);
            assertThat(mount.session.counters().handlerFailures()).isZero();
            assertThat(mount.memory.all()).isEmpty();
        }
    }
}
