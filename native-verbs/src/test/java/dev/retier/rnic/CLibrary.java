package dev.retier.rnic;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A C library made of upcalls: each public method that is called as its functions are. One thread at a time. */
@SuppressWarnings("restricted") // C calls it
public abstract class CLibrary implements SymbolLookup {
    private static final int MEMORY = 1024;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle EVENTFD = libc("eventfd", 2);
    private static final MethodHandle WRITE = libc("write", 3);
    private static final MethodHandle READ = libc("read", 3);
    private static final MethodHandle ERRNO_LOCATION = libc("__errno_location", 0);

    private final Arena arena = Arena.ofShared();
    private final Map<String, MemorySegment> functions = new HashMap<>();

    CLibrary() {
        for (Method method : getClass().getMethods()) {
            String name = method.getName();
            if (name.startsWith("ibv_") || name.startsWith("rdma_") || name.startsWith("op_")) {
                functions.put(name, stub(method));
            }
        }
    }

    /** The address of one of its functions. */
    long function(String name) {
        return Objects.requireNonNull(functions.get(name)).address();
    }

    private MemorySegment stub(Method method) {
        try {
            MethodHandle handle = MethodHandles.lookup().unreflect(method).bindTo(this);
            MethodType type = handle.type();
            ValueLayout[] arguments = type.parameterList().stream()
                    .map(parameter -> parameter == int.class ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG)
                    .toArray(ValueLayout[]::new);
            FunctionDescriptor descriptor = type.returnType() == void.class
                    ? FunctionDescriptor.ofVoid(arguments)
                    : FunctionDescriptor.of(
                            type.returnType() == int.class ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG, arguments);
            return LINKER.upcallStub(handle, descriptor, arena);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle libc(String name, int arguments) {
        ValueLayout[] types = new ValueLayout[arguments];
        Arrays.fill(types, ValueLayout.JAVA_LONG);
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(), FunctionDescriptor.of(ValueLayout.JAVA_LONG, types));
    }

    @Override
    public Optional<MemorySegment> find(String name) {
        Optional<MemorySegment> own = Optional.ofNullable(functions.get(name));
        return own.isPresent() || name.startsWith("ibv_") || name.startsWith("rdma_")
                ? own
                : LINKER.defaultLookup().find(name);
    }

    static <K, V> V known(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key), () -> "the library knows none at " + key);
    }

    /** Cleared memory that stays until the end. */
    long allocate() {
        return arena.allocate(MEMORY, Long.BYTES).address();
    }

    static MemorySegment at(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE);
    }

    static long get(long address, long offset) {
        return at(address).get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    static int getInt(long address, long offset) {
        return at(address).get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    static int getByte(long address, long offset) {
        return at(address).get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    static void set(long address, long offset, long value) {
        at(address).set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }

    static void setInt(long address, long offset, int value) {
        at(address).set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
    }

    int fail(int errno) {
        try {
            setInt((long) ERRNO_LOCATION.invokeExact(), 0, errno);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
        return -1;
    }

    int newDescriptor() {
        try {
            return (int) (long) EVENTFD.invokeExact(0L, 0L);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    void wake(int fd) {
        try (Arena local = Arena.ofConfined()) {
            long ignored = (long) WRITE.invokeExact(
                    (long) fd, local.allocateFrom(ValueLayout.JAVA_LONG, 1L).address(), 8L);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    void calm(int fd) {
        try (Arena local = Arena.ofConfined()) {
            long ignored =
                    (long) READ.invokeExact((long) fd, local.allocate(8, 8).address(), 8L);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
