package dev.retier.rnic;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Calls of C functions by address. Every argument is an integer or a pointer and travels in a register of its own, and
 * so does the result: the calling conventions of System V x86-64 and of AAPCS64 then let a call with longs stand for
 * all types, the upper bits of narrower ones being nobody's. Stateless; safe for any thread.
 */
@SuppressWarnings("restricted") // that is what it is for
final class Calls {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));
    /** What the newest call of this thread left in errno. */
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private static final long RESULT_BYTES = 2L * Long.BYTES;
    /** Where a function puts what it finds. */
    private static final ThreadLocal<MemorySegment> RESULTS =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(RESULT_BYTES, Long.BYTES));

    private static final MethodHandle NONE = handle(0, true);
    private static final MethodHandle ONE = handle(1, true);
    private static final MethodHandle TWO = handle(2, true);
    private static final MethodHandle THREE = handle(3, true);
    private static final MethodHandle FOUR = handle(4, true);
    private static final MethodHandle FIVE = handle(5, true);
    private static final MethodHandle FAST_TWO = handle(2, false);
    private static final MethodHandle FAST_THREE = handle(3, false);

    private Calls() {}

    private static MethodHandle handle(int arguments, boolean withErrno) {
        ValueLayout.OfLong[] types = new ValueLayout.OfLong[arguments];
        Arrays.fill(types, LONG);
        FunctionDescriptor descriptor = FunctionDescriptor.of(LONG, types);
        return withErrno
                ? LINKER.downcallHandle(descriptor, Linker.Option.captureCallState("errno"))
                : LINKER.downcallHandle(descriptor);
    }

    static long call(MemorySegment function) {
        try {
            return (long) NONE.invokeExact(function, STATE.get());
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    static long call(MemorySegment function, long a) {
        try {
            return (long) ONE.invokeExact(function, STATE.get(), a);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    static long call(MemorySegment function, long a, long b) {
        try {
            return (long) TWO.invokeExact(function, STATE.get(), a, b);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    static long call(MemorySegment function, long a, long b, long c) {
        try {
            return (long) THREE.invokeExact(function, STATE.get(), a, b, c);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    static long call(MemorySegment function, long a, long b, long c, long d) {
        try {
            return (long) FOUR.invokeExact(function, STATE.get(), a, b, c, d);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    @SuppressWarnings("checkstyle:ParameterNumber") // as many as ibv_create_cq has
    static long call(MemorySegment function, long a, long b, long c, long d, long e) {
        try {
            return (long) FIVE.invokeExact(function, STATE.get(), a, b, c, d, e);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /** For functions that return an int and what went wrong in it, again and again: leaves errno alone. */
    static int fast(MemorySegment function, long a, long b) {
        try {
            return (int) (long) FAST_TWO.invokeExact(function, a, b);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /** The same with three arguments. */
    static int fast(MemorySegment function, long a, long b, long c) {
        try {
            return (int) (long) FAST_THREE.invokeExact(function, a, b, c);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /** What the newest {@code call} of this thread left in errno; it says something only after a failure. */
    static int errno() {
        return (int) ERRNO.get(STATE.get(), 0L);
    }

    /** 16 bytes of this thread for what a call puts somewhere; good until this thread asks again. */
    static MemorySegment results() {
        return RESULTS.get();
    }

    /** The memory at {@code address}, which the library answers for. */
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /** The text at {@code address}, which ends with a zero. */
    static String text(long address) {
        return address == 0
                ? ""
                : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    private static IllegalStateException impossible(Throwable t) {
        return new IllegalStateException("a call of a C function threw", t);
    }
}
