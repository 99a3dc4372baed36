package s3csi.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Binding of C functions: every handle made here captures errno in the segment that is its first argument. */
// Restricted methods are what this class is for: nothing else in the project may bind native code.
@SuppressWarnings("restricted")
final class Native {
    static final ValueLayout.OfInt INT = JAVA_INT;
    static final ValueLayout.OfLong LONG = JAVA_LONG;
    static final ValueLayout POINTER = ADDRESS;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = CAPTURED.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private Native() {}

    static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(address(name), FunctionDescriptor.of(result, arguments), CAPTURE);
    }

    /** A function whose arguments from {@code firstVariadic} on are variadic, which some architectures pass differently. */
    static MethodHandle variadic(String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                address(name),
                FunctionDescriptor.of(result, arguments),
                CAPTURE,
                Linker.Option.firstVariadicArg(firstVariadic));
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

    /** A C string. NUL cannot be part of one: a path or option that holds it is an attempt to smuggle something. */
    static MemorySegment string(Arena arena, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a text for the kernel holds a NUL character at position "
                    + text.indexOf('\0') + "; such a name cannot exist");
        }
        return arena.allocateFrom(text, StandardCharsets.UTF_8);
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
