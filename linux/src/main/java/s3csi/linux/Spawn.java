package s3csi.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static s3csi.linux.Native.INT;
import static s3csi.linux.Native.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Starts a program with exactly the arguments, environment and descriptors that are given, and nothing else of this process: no
 * other descriptor, no blocked or ignored signal.
 *
 * @param program absolute path
 * @param arguments all of them, the first is the program's own name
 * @param environment all of it
 * @param descriptors which descriptor the child shall have under which number; 0, 1 and 2 are {@code /dev/null} unless given
 * @param ownSession whether the child leads a session of its own, so that signals from a terminal do not reach it
 */
public record Spawn(
        Path program,
        List<String> arguments,
        Map<String, String> environment,
        Map<Integer, Descriptor> descriptors,
        boolean ownSession) {
    /** More than posix_spawn_file_actions_t (80), posix_spawnattr_t (336) and sigset_t (128) need in glibc or musl. */
    private static final long ROOM = 512;

    static final short POSIX_SPAWN_SETSIGDEF = 4;
    static final short POSIX_SPAWN_SETSIGMASK = 8;
    static final short POSIX_SPAWN_SETSID = 0x80;
    private static final int STANDARD = 3;

    private static final MethodHandle SPAWN =
            Native.function("posix_spawn", INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER);
    private static final MethodHandle ACTIONS_INIT = Native.function("posix_spawn_file_actions_init", INT, POINTER);
    private static final MethodHandle ACTIONS_DESTROY =
            Native.function("posix_spawn_file_actions_destroy", INT, POINTER);
    private static final MethodHandle ADD_DUP2 =
            Native.function("posix_spawn_file_actions_adddup2", INT, POINTER, INT, INT);
    private static final MethodHandle ADD_OPEN =
            Native.function("posix_spawn_file_actions_addopen", INT, POINTER, INT, POINTER, INT, INT);
    private static final MethodHandle ADD_CLOSE =
            Native.function("posix_spawn_file_actions_addclose", INT, POINTER, INT);
    private static final MethodHandle ADD_CLOSE_FROM =
            Native.function("posix_spawn_file_actions_addclosefrom_np", INT, POINTER, INT);
    private static final MethodHandle ATTRIBUTES_INIT = Native.function("posix_spawnattr_init", INT, POINTER);
    private static final MethodHandle ATTRIBUTES_DESTROY = Native.function("posix_spawnattr_destroy", INT, POINTER);
    private static final MethodHandle SET_FLAGS = Native.function("posix_spawnattr_setflags", INT, POINTER, JAVA_SHORT);
    private static final MethodHandle SET_DEFAULTS =
            Native.function("posix_spawnattr_setsigdefault", INT, POINTER, POINTER);
    private static final MethodHandle FILL_SIGNALS = Native.function("sigfillset", INT, POINTER);

    public Spawn {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        descriptors = Map.copyOf(descriptors);
    }

    /** Starts the program. An exec that fails is reported here, not as an exit code. */
    public ChildProcess start() throws LinuxException {
        TreeMap<Integer, Descriptor> wanted = new TreeMap<>(descriptors);
        int closeFrom = Math.max(STANDARD, wanted.isEmpty() ? 0 : wanted.lastKey() + 1);
        List<Descriptor> lifted = new ArrayList<>();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment actions = memory.allocate(ROOM, 16);
            MemorySegment attributes = memory.allocate(ROOM, 16);
            call("posix_spawn_file_actions_init", captured -> (int) ACTIONS_INIT.invokeExact(captured, actions));
            try {
                call("posix_spawnattr_init", captured -> (int) ATTRIBUTES_INIT.invokeExact(captured, attributes));
                setSignals(memory, attributes);
                addStandard(memory, actions, wanted);
                for (Map.Entry<Integer, Descriptor> entry : wanted.entrySet()) {
                    // Above every number the child shall have: so no dup2 overwrites a source that is still needed.
                    Descriptor source = entry.getValue().duplicateAbove(closeFrom);
                    lifted.add(source);
                    int target = entry.getKey();
                    call("posix_spawn_file_actions_adddup2", captured ->
                            (int) ADD_DUP2.invokeExact(captured, actions, source.number(), target));
                }
                closeBetween(actions, wanted, closeFrom);
                call("posix_spawn_file_actions_addclosefrom_np", captured ->
                        (int) ADD_CLOSE_FROM.invokeExact(captured, actions, closeFrom));
                MemorySegment pid = memory.allocate(JAVA_INT);
                call("posix_spawn " + program, captured -> (int) SPAWN.invokeExact(
                        captured,
                        pid,
                        Native.string(memory, program.toString()),
                        actions,
                        attributes,
                        texts(memory, arguments),
                        texts(memory, environmentLines())));
                return new ChildProcess(pid.get(JAVA_INT, 0));
            } finally {
                call("posix_spawnattr_destroy", captured -> (int) ATTRIBUTES_DESTROY.invokeExact(captured, attributes));
                call("posix_spawn_file_actions_destroy", captured ->
                        (int) ACTIONS_DESTROY.invokeExact(captured, actions));
            }
        } finally {
            lifted.forEach(Descriptor::close);
        }
    }

    private void setSignals(Arena memory, MemorySegment attributes) throws LinuxException {
        MemorySegment all = memory.allocate(ROOM, 16);
        int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (ownSession ? POSIX_SPAWN_SETSID : 0);
        call("sigfillset", captured -> (int) FILL_SIGNALS.invokeExact(captured, all));
        call("posix_spawnattr_setsigdefault", captured -> (int) SET_DEFAULTS.invokeExact(captured, attributes, all));
        call("posix_spawnattr_setflags", captured -> (int) SET_FLAGS.invokeExact(captured, attributes, (short) flags));
    }

    private static void addStandard(Arena memory, MemorySegment actions, Map<Integer, Descriptor> wanted)
            throws LinuxException {
        MemorySegment nothing = Native.string(memory, "/dev/null");
        for (int number = 0; number < STANDARD; number++) {
            if (!wanted.containsKey(number)) {
                int target = number;
                call("posix_spawn_file_actions_addopen", captured ->
                        (int) ADD_OPEN.invokeExact(captured, actions, target, nothing, FileFlags.O_RDWR, 0));
            }
        }
    }

    private static void closeBetween(MemorySegment actions, Map<Integer, Descriptor> wanted, int end)
            throws LinuxException {
        for (int number = STANDARD; number < end; number++) {
            if (!wanted.containsKey(number)) {
                int unwanted = number;
                call("posix_spawn_file_actions_addclose", captured ->
                        (int) ADD_CLOSE.invokeExact(captured, actions, unwanted));
            }
        }
    }

    private List<String> environmentLines() {
        return environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .sorted()
                .toList();
    }

    private static MemorySegment texts(Arena memory, List<String> texts) {
        MemorySegment array = memory.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, Native.string(memory, texts.get(i)));
        }
        return array;
    }

    /** A call that returns its error number. */
    @FunctionalInterface
    private interface Body {
        int run(MemorySegment captured) throws Throwable;
    }

    private static void call(String name, Body body) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            int error = body.run(Native.capture(memory));
            if (error != 0) {
                throw new LinuxException(name, "", error);
            }
        } catch (LinuxException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.impossible(e);
        }
    }
}
