package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

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

    private static final CFunction SPAWN = CFunction.named("posix_spawn");
    private static final CFunction ACTIONS_INIT = CFunction.named("posix_spawn_file_actions_init");
    private static final CFunction ACTIONS_DESTROY = CFunction.named("posix_spawn_file_actions_destroy");
    private static final CFunction ADD_DUP2 = CFunction.named("posix_spawn_file_actions_adddup2");
    private static final CFunction ADD_OPEN = CFunction.named("posix_spawn_file_actions_addopen");
    private static final CFunction ADD_CLOSE = CFunction.named("posix_spawn_file_actions_addclose");
    private static final CFunction ADD_CLOSE_FROM = CFunction.named("posix_spawn_file_actions_addclosefrom_np");
    private static final CFunction ATTRIBUTES_INIT = CFunction.named("posix_spawnattr_init");
    private static final CFunction ATTRIBUTES_DESTROY = CFunction.named("posix_spawnattr_destroy");
    private static final CFunction SET_FLAGS = CFunction.named("posix_spawnattr_setflags");
    private static final CFunction SET_DEFAULTS = CFunction.named("posix_spawnattr_setsigdefault");
    private static final CFunction FILL_SIGNALS = CFunction.named("sigfillset");

    public Spawn {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        descriptors = Map.copyOf(descriptors);
    }

    /**
     * Starts a program that has no capabilities and can get none, though it may belong to root. What it then may do is what files and directories
     * allow their owner.
     */
    public ChildProcess startWithoutCapabilities() throws LinuxException {
        // A child has what the thread has that starts it, so a thread gives everything away and ends.
        FutureTask<ChildProcess> starting = new FutureTask<>(() -> {
            Privileges.dropCapabilitiesOfThisThread();
            return start();
        });
        Thread.ofPlatform().name("spawn").start(starting);
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return starting.get();
                } catch (InterruptedException e) {
                    // A process that was started must be known; starting one takes no time.
                    wasInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LinuxException refused) {
                throw refused;
            }
            throw new IllegalStateException("starting " + program + " failed unexpectedly", e.getCause());
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Starts the program. An exec that fails is reported here, not as an exit code. */
    public ChildProcess start() throws LinuxException {
        TreeMap<Integer, Descriptor> wanted = new TreeMap<>(descriptors);
        int closeFrom = Math.max(STANDARD, wanted.isEmpty() ? 0 : wanted.lastKey() + 1);
        List<Descriptor> lifted = new ArrayList<>();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment actions = memory.allocate(ROOM, 16);
            MemorySegment attributes = memory.allocate(ROOM, 16);
            call("posix_spawn_file_actions_init", captured -> ACTIONS_INIT.callInt(captured, actions.address()));
            try {
                call("posix_spawnattr_init", captured -> ATTRIBUTES_INIT.callInt(captured, attributes.address()));
                setSignals(memory, attributes);
                addStandard(memory, actions, wanted);
                for (Map.Entry<Integer, Descriptor> entry : wanted.entrySet()) {
                    // Above every number the child shall have: so no dup2 overwrites a source that is still needed.
                    Descriptor source = entry.getValue().duplicateAbove(closeFrom);
                    lifted.add(source);
                    int target = entry.getKey();
                    call(
                            "posix_spawn_file_actions_adddup2",
                            captured -> ADD_DUP2.callInt(captured, actions.address(), source.number(), target));
                }
                closeBetween(actions, wanted, closeFrom);
                call(
                        "posix_spawn_file_actions_addclosefrom_np",
                        captured -> ADD_CLOSE_FROM.callInt(captured, actions.address(), closeFrom));
                MemorySegment pid = memory.allocate(JAVA_INT);
                call(
                        "posix_spawn " + program,
                        captured -> SPAWN.callInt(
                                captured,
                                pid.address(),
                                Native.string(memory, program.toString()),
                                actions.address(),
                                attributes.address(),
                                texts(memory, arguments),
                                texts(memory, environmentLines())));
                return new ChildProcess(pid.get(JAVA_INT, 0));
            } finally {
                call("posix_spawnattr_destroy", captured -> ATTRIBUTES_DESTROY.callInt(captured, attributes.address()));
                call(
                        "posix_spawn_file_actions_destroy",
                        captured -> ACTIONS_DESTROY.callInt(captured, actions.address()));
            }
        } finally {
            lifted.forEach(Descriptor::close);
        }
    }

    private void setSignals(Arena memory, MemorySegment attributes) throws LinuxException {
        MemorySegment all = memory.allocate(ROOM, 16);
        int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (ownSession ? POSIX_SPAWN_SETSID : 0);
        call("sigfillset", captured -> FILL_SIGNALS.callInt(captured, all.address()));
        call(
                "posix_spawnattr_setsigdefault",
                captured -> SET_DEFAULTS.callInt(captured, attributes.address(), all.address()));
        call("posix_spawnattr_setflags", captured -> SET_FLAGS.callInt(captured, attributes.address(), (short) flags));
    }

    private static void addStandard(Arena memory, MemorySegment actions, Map<Integer, Descriptor> wanted)
            throws LinuxException {
        long nothing = Native.string(memory, "/dev/null");
        for (int number = 0; number < STANDARD; number++) {
            if (!wanted.containsKey(number)) {
                int target = number;
                call(
                        "posix_spawn_file_actions_addopen",
                        captured ->
                                ADD_OPEN.callInt(captured, actions.address(), target, nothing, FileFlags.O_RDWR, 0));
            }
        }
    }

    private static void closeBetween(MemorySegment actions, Map<Integer, Descriptor> wanted, int end)
            throws LinuxException {
        for (int number = STANDARD; number < end; number++) {
            if (!wanted.containsKey(number)) {
                int unwanted = number;
                call(
                        "posix_spawn_file_actions_addclose",
                        captured -> ADD_CLOSE.callInt(captured, actions.address(), unwanted));
            }
        }
    }

    private List<String> environmentLines() {
        return environment.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .sorted()
                .toList();
    }

    private static long texts(Arena memory, List<String> texts) {
        MemorySegment array = memory.allocate(JAVA_LONG, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(JAVA_LONG, i, Native.string(memory, texts.get(i)));
        }
        return array.address();
    }

    /** A call that returns its error number. */
    @FunctionalInterface
    private interface Body {
        int run(MemorySegment captured);
    }

    private static void call(String name, Body body) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            int error = body.run(Native.capture(memory));
            if (error != 0) {
                throw new LinuxException(name, "", error);
            }
        }
    }
}
