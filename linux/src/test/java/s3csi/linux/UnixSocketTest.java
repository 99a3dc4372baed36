package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private Descriptor open(String name, String content) throws IOException {
        Path file = Files.writeString(directory.resolve(name), content);
        return PlainFiles.open(file, FileFlags.O_RDONLY | FileFlags.O_CLOEXEC);
    }

    @Test
    void carriesBytesAndADescriptorToTheOtherSide() throws Exception {
        Path path = directory.resolve("mount.sock");
        try (UnixListener listener = UnixListener.bind(path);
                UnixStream client = UnixStream.connect(path);
                UnixStream server = listener.accept(LONG).orElseThrow();
                Descriptor file = open("file", "what the descriptor leads to")) {
            client.send("{\"args\":[]}".getBytes(UTF_8), List.of(file));
            client.endOutput();
            try (ReceivedMessage message = server.receiveAll(1 << 20, 1, LONG)) {
                assertThat(new String(message.bytes(), UTF_8)).isEqualTo("{\"args\":[]}");
                assertThat(message.descriptors()).hasSize(1);
                Descriptor received = message.descriptors().getFirst();
                assertThat(received.number()).isNotEqualTo(file.number());
                assertThat(received.isCloseOnExec()).isTrue();
                assertThat(PlainFiles.read(received, 100)).asString().isEqualTo("what the descriptor leads to");
            }
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void theEndsOfAPairAreConnectedUntilOneIsClosed() throws Exception {
        SocketPair pair = SocketPair.open();
        try (UnixStream ours = pair.ours();
                UnixStream theirs = new UnixStream(pair.theirs());
                Descriptor file = open("file", "content")) {
            theirs.send(new byte[] {7}, List.of(file));
            try (ReceivedMessage message = ours.receive(LONG)) {
                assertThat(message.bytes()).containsExactly(7);
                assertThat(message.descriptors()).hasSize(1);
            }
            assertThat(pair.theirs().isCloseOnExec()).isTrue();
            pair.theirs().close();
            try (ReceivedMessage end = ours.receive(LONG)) {
                assertThat(end.bytes()).isEmpty();
            }
        }
    }

    @Test
    void carriesMoreBytesThanTheKernelTakesAtOnce() throws Exception {
        Path path = directory.resolve("mount.sock");
        byte[] large = "0123456789abcdef".repeat(1 << 16).getBytes(UTF_8);
        try (UnixListener listener = UnixListener.bind(path);
                UnixStream client = UnixStream.connect(path);
                UnixStream server = listener.accept(LONG).orElseThrow()) {
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    client.send(large, List.of());
                    client.endOutput();
                } catch (LinuxException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(server.receiveAll(large.length, 0, LONG).bytes()).isEqualTo(large);
            sender.join();
        }
    }

    @Test
    void knowsWhoIsAtTheOtherEnd() throws Exception {
        Path path = directory.resolve("mount.sock");
        try (UnixListener listener = UnixListener.bind(path);
                UnixStream client = UnixStream.connect(path);
                UnixStream server = listener.accept(LONG).orElseThrow()) {
            PeerCredentials me = new PeerCredentials(
                    (int) ProcessHandle.current().pid(), Processes.effectiveUserId(), Processes.effectiveGroupId());
            assertThat(server.peer()).isEqualTo(me);
            assertThat(client.peer()).isEqualTo(me);
        }
    }

    @Test
    void worksAtAPathLongerThanAnAddress() throws Exception {
        Path deep = Files.createDirectories(directory.resolve("d".repeat(100)).resolve("e".repeat(100)));
        Path path = deep.resolve("mount.sock");
        try (UnixListener listener = UnixListener.bind(path);
                UnixStream client = UnixStream.connect(path);
                UnixStream server = listener.accept(LONG).orElseThrow()) {
            client.send(new byte[] {7}, List.of());
            assertThat(server.receive(LONG).bytes()).containsExactly(7);
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void removesTheSocketThatADeadProcessLeftButNoOtherFile() throws Exception {
        Path path = directory.resolve("mount.sock");
        UnixListener.bind(path);
        try (UnixListener again = UnixListener.bind(path);
                UnixStream client = UnixStream.connect(path)) {
            assertThat(again.accept(LONG)).isPresent();
            assertThat(client.peer().uid()).isEqualTo(Processes.effectiveUserId());
        }
        Files.writeString(path, "mine");
        assertThatThrownBy(() -> UnixListener.bind(path)).hasMessageContaining("a regular file is there");
        assertThat(path).hasContent("mine");
    }

    @Test
    void givesUpAtTheDeadline() throws Exception {
        Path path = directory.resolve("mount.sock");
        try (UnixListener listener = UnixListener.bind(path)) {
            assertThat(listener.accept(Duration.ofMillis(10))).isEmpty();
            try (UnixStream client = UnixStream.connect(path);
                    UnixStream server = listener.accept(LONG).orElseThrow()) {
                client.send(new byte[] {1}, List.of());
                // It never ends its output.
                assertThatThrownBy(() -> server.receiveAll(10, 1, Duration.ofMillis(10)))
                        .isInstanceOfSatisfying(
                                LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT));
            }
        }
    }

    @Test
    void keepsNoDescriptorOfAMessageThatHasTooMany() throws Exception {
        Path path = directory.resolve("mount.sock");
        try (UnixListener listener = UnixListener.bind(path);
                UnixStream client = UnixStream.connect(path);
                UnixStream server = listener.accept(LONG).orElseThrow();
                Descriptor file = open("file", "x")) {
            client.send(new byte[] {1}, List.of(file, file));
            client.endOutput();
            long before = openDescriptors();
            assertThatThrownBy(() -> server.receiveAll(10, 1, LONG)).hasMessageContaining("too large");
            assertThat(openDescriptors()).isEqualTo(before);
        }
    }

    private static long openDescriptors() throws IOException {
        try (var links = Files.list(Path.of("/proc/self/fd"))) {
            return links.filter(each -> isFile(each)).count();
        }
    }

    // Other threads open descriptors too; only those of the test's own file are counted.
    private static boolean isFile(Path link) {
        try {
            return Files.readSymbolicLink(link).endsWith("file");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void connectsToTheOpenedSocketAndNotToWhatALinkNames() throws Exception {
        Path other = directory.resolve("other.sock");
        Path trap = Files.createDirectory(directory.resolve("trap"));
        Files.createSymbolicLink(trap.resolve("mount.sock"), other);
        try (UnixListener victim = UnixListener.bind(other);
                Directory opened = Directory.at(trap)) {
            assertThatThrownBy(() -> opened.open("mount.sock", FileFlags.O_PATH, 0))
                    .isInstanceOfSatisfying(
                            LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ELOOP));
            Files.delete(trap.resolve("mount.sock"));
            try (UnixListener real = UnixListener.bind(trap.resolve("mount.sock"));
                    Descriptor socket = opened.open("mount.sock", FileFlags.O_PATH, 0);
                    UnixStream client = UnixStream.connect(socket)) {
                assertThat(real.accept(LONG)).isPresent();
                assertThat(client.peer().uid()).isEqualTo(Processes.effectiveUserId());
            }
            assertThat(victim.accept(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void nobodyListeningIsSaidInWords() throws Exception {
        Path path = directory.resolve("mount.sock");
        assertThatThrownBy(() -> UnixStream.connect(path))
                .hasMessageContaining("connect " + path)
                .hasMessageContaining("ENOENT");
    }

    /** Of a connection, a child process could read what is meant for its parent. */
    @Test
    void noEndOfAConnectionIsInherited() throws Exception {
        Path path = directory.resolve("socket");
        Set<String> before = inheritedSockets();
        try (UnixListener listener = UnixListener.bind(path);
                UnixStream client = UnixStream.connect(path);
                UnixStream server = listener.accept(LONG).orElseThrow()) {
            assertThat(client.peer()).isEqualTo(server.peer());
            assertThat(inheritedSockets()).isEqualTo(before);
        }
    }

    private static Set<String> inheritedSockets() throws Exception {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : all.toList()) {
                if (Files.exists(each, LinkOption.NOFOLLOW_LINKS)
                        && Files.readSymbolicLink(each).toString().startsWith("socket:")
                        && isInherited(each.getFileName().toString())) {
                    found.add(each.getFileName() + " " + Files.readSymbolicLink(each));
                }
            }
        }
        return found;
    }

    private static boolean isInherited(String number) throws Exception {
        String flags = Files.readAllLines(Path.of("/proc/self/fdinfo", number)).stream()
                .filter(line -> line.startsWith("flags:"))
                .findFirst()
                .orElseThrow();
        return (Integer.parseInt(flags.substring("flags:".length()).strip(), 8) & FileFlags.O_CLOEXEC) == 0;
    }

    /** Others are not bound by what {@link UnixStream#send} allows. */
    @Test
    void keepsNoDescriptorOfAMessageThatHasMoreThanFit() throws Exception {
        SocketPair pair = SocketPair.open();
        try (UnixStream ours = pair.ours();
                Descriptor theirs = pair.theirs();
                Descriptor file = open("file", "x")) {
            sendCopies(theirs, file, 17);
            long before = openDescriptors();
            assertThatThrownBy(() -> ours.receive(LONG)).hasMessageContaining("more than 16 descriptors");
            assertThat(openDescriptors()).isEqualTo(before);
        }
    }

    @Test
    void keepsNoDescriptorOfAMessageThatDoesNotEnd() throws Exception {
        SocketPair pair = SocketPair.open();
        try (UnixStream ours = pair.ours();
                UnixStream theirs = new UnixStream(pair.theirs());
                Descriptor file = open("file", "x")) {
            theirs.send(new byte[] {1}, List.of(file));
            long before = openDescriptors();
            assertThatThrownBy(() -> ours.receiveAll(10, 1, Duration.ofMillis(10)))
                    .isInstanceOfSatisfying(
                            LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT));
            assertThat(openDescriptors()).isEqualTo(before);
        }
    }

    private static void sendCopies(Descriptor socket, Descriptor file, int copies) throws LinuxException {
        long header = SocketCalls.CMSGHDR.byteSize();
        Calls.check("sendmsg", socket, (arena, captured) -> {
            MemorySegment vector = arena.allocate(IoVector.IOVEC);
            vector.set(JAVA_LONG, 0, arena.allocate(1).address());
            vector.set(JAVA_LONG, 8, 1);
            MemorySegment control = arena.allocate(header + (4L * copies + 7) / 8 * 8, 8);
            control.set(JAVA_LONG, 0, header + 4L * copies);
            control.set(JAVA_INT, 8, SocketCalls.SOL_SOCKET);
            control.set(JAVA_INT, 12, SocketCalls.SCM_RIGHTS);
            for (int i = 0; i < copies; i++) {
                control.set(JAVA_INT, header + 4L * i, file.number());
            }
            MemorySegment message = arena.allocate(SocketCalls.MSGHDR);
            message.set(JAVA_LONG, offset("msg_iov"), vector.address());
            message.set(JAVA_LONG, offset("msg_iovlen"), 1);
            message.set(JAVA_LONG, offset("msg_control"), control.address());
            message.set(JAVA_LONG, offset("msg_controllen"), control.byteSize());
            return SocketCalls.SENDMSG.call(captured, socket.number(), message.address(), 0);
        });
    }

    private static long offset(String field) {
        return SocketCalls.MSGHDR.byteOffset(PathElement.groupElement(field));
    }
}
