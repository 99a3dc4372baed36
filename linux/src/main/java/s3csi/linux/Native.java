package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Binding of C functions: every handle made here captures errno in the segment that is its second argument. */
// Restricted methods are what this class is for: nothing else in the project may bind native code.
@SuppressWarnings("restricted")
final class Native {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = CAPTURED.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private Native() {}

    /** A handle of that shape whose first argument is the address of the function. */
    static MethodHandle handle(FunctionDescriptor shape) {
        return LINKER.downcallHandle(shape, CAPTURE);
    }

    static MemorySegment address(String name) {
        return LIBC.find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError(
                        "the C library has no function " + name + "; glibc 2.30 or newer, or musl 1.2, is needed"));
    }

    static int errno(MemorySegment captured) {
        return captured.get(JAVA_INT, ERRNO_OFFSET);
    }

    static MemorySegment capture(Arena arena) {
        return arena.allocate(CAPTURED);
    }

    /** Memory that the kernel gave, given back by {@code release} when the arena ends. */
    static MemorySegment memory(long address, long bytes, Arena owner, Consumer<MemorySegment> release) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, owner, release);
    }

    /** Memory at an address that somebody else keeps alive. */
    static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /** The address of a C string. NUL cannot be part of one: a path or option that holds it is an attempt to smuggle something. */
    static long string(Arena arena, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a text for the kernel holds a NUL character at position "
                    + text.indexOf('\0') + "; such a name cannot exist");
        }
        return arena.allocateFrom(text, StandardCharsets.UTF_8).address();
    }

    /** Method handles declare Throwable; a call into C throws nothing but what the JVM itself does. */
    static RuntimeException impossible(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        throw new AssertionError("a call into the C library threw", e);
    }
}
