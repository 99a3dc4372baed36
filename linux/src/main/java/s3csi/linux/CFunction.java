package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of the C library that takes at most six integers and pointers and returns one.
 *
 * <p>All of them are called in one shape, six longs in and one long out. What the linker makes for a shape is code that is generated in
 * every process anew and cannot be kept in an AOT cache: twenty shapes cost a program a third of a second at its start. The calling
 * conventions of x86-64 and AArch64 allow it: the first six such arguments are in registers, the function looks at as many of them as it
 * has, and of each at the low bits that its type has. For the same reason only the low half of an {@code int} result means something,
 * hence two ways to call. Whoever passes an address keeps the memory alive until the call is over.
 */
final class CFunction {
    private static final MethodHandle CALL = Native.handle(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final int MOST = 6;

    private final MemorySegment address;

    private CFunction(MemorySegment address) {
        this.address = address;
    }

    static CFunction named(String name) {
        return new CFunction(Native.address(name));
    }

    /** Calls a function that returns a {@code long}, with its errno in the first argument. */
    long call(MemorySegment captured, long... arguments) {
        if (arguments.length > MOST) {
            throw new IllegalArgumentException(arguments.length + " arguments do not fit into registers");
        }
        return call(
                captured,
                at(arguments, 0),
                at(arguments, 1),
                at(arguments, 2),
                at(arguments, 3),
                at(arguments, 4),
                at(arguments, 5));
    }

    private static long at(long[] arguments, int index) {
        return index < arguments.length ? arguments[index] : 0;
    }

    /** The same without a list of arguments: allocates nothing. */
    long call(MemorySegment captured, long first, long second, long third) {
        return call(captured, first, second, third, 0, 0, 0);
    }

    private long call(
            MemorySegment captured, long first, long second, long third, long fourth, long fifth, long sixth) {
        try {
            return (long) CALL.invokeExact(address, captured, first, second, third, fourth, fifth, sixth);
        } catch (Throwable e) {
            throw Native.impossible(e);
        }
    }

    /** Calls a function that returns an {@code int}. */
    int callInt(MemorySegment captured, long... arguments) {
        return (int) call(captured, arguments);
    }
}
