package dev.retier.volume.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Gives parts of files back to the file system, or what the system has of them in memory to the system, and finds what
 * was given back: by fallocate(2), posix_fadvise(2) and lseek(2) of Linux, which Java does not have. The file is opened
 * for that alone, as Java tells nobody the number of one that it has open. Thread-safe.
 */
final class Holes {
    // Linux, on all 64-bit systems that Java has.
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;
    private static final int READ_ONLY = 0;
    private static final int WRITE_ONLY = 1;
    private static final int DO_NOT_NEED = 4;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int NOT_SUPPORTED = 95;
    private static final int SEEK_DATA = 3;
    private static final int NOTHING_BEHIND = 6;

    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_AT = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private Holes() {}

    /** The functions, linked on first use. */
    @SuppressWarnings("restricted") // asked for before
    private static final class Libc {
        static final MethodHandle OPEN = function(
                "open",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle FALLOCATE = function(
                "fallocate",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle ADVISE = function(
                "posix_fadvise",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT));
        static final MethodHandle SEEK = function(
                "lseek",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle CLOSE =
                function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        private Libc() {}

        private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
        }
    }

    /** What is done with a file that is open. */
    private interface Call {
        /** 0 if it is done. */
        int on(MemorySegment state, int descriptor) throws Throwable;
    }

    /**
     * What lies there reads as zeros and takes no room, as far as it is whole blocks of the file system.
     *
     * @throws UnsupportedOperationException if that can never be done; the message says why
     * @throws IOException if it could not be done this time
     */
    static void punch(Path file, long offset, long length) throws IOException {
        with(file, WRITE_ONLY, (state, descriptor) -> {
            int result = (int) Libc.FALLOCATE.invokeExact(state, descriptor, PUNCH_HOLE | KEEP_SIZE, offset, length);
            return result == 0 ? 0 : state.get(ValueLayout.JAVA_INT, ERRNO_AT);
        });
    }

    /**
     * What of it is in the system's memory and on the disk is there alone from now on, so that it is read from there.
     * All of it, as the system may have a part only together with what is around it.
     *
     * @throws IOException if that cannot be done; the message says why
     */
    static void forget(Path file) throws IOException {
        with(file, READ_ONLY, (_, descriptor) -> (int) Libc.ADVISE.invokeExact(descriptor, 0L, 0L, DO_NOT_NEED));
    }

    /**
     * The first byte from {@code offset} on that is in no hole; the largest number if there is none.
     *
     * @throws IOException if the system does not say; the message says why
     */
    static long nextData(Path file, long offset) throws IOException {
        long[] found = new long[1];
        with(file, READ_ONLY, (state, descriptor) -> {
            found[0] = (long) Libc.SEEK.invokeExact(state, descriptor, offset, SEEK_DATA);
            int error = found[0] < 0 ? state.get(ValueLayout.JAVA_INT, ERRNO_AT) : 0;
            return error == NOTHING_BEHIND ? 0 : error;
        });
        return found[0] < 0 ? Long.MAX_VALUE : found[0];
    }

    private static void with(Path file, int mode, Call call) throws IOException {
        require();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int descriptor =
                    (int) Libc.OPEN.invokeExact(state, arena.allocateFrom(file.toString()), mode | CLOSE_ON_EXEC);
            if (descriptor < 0) {
                throw failed(file, "opened", state.get(ValueLayout.JAVA_INT, ERRNO_AT));
            }
            try {
                int error = call.on(state, descriptor);
                if (error == NOT_SUPPORTED) {
                    throw new UnsupportedOperationException(file + ": its file system has no holes");
                }
                if (error != 0) {
                    throw failed(file, "given back or looked at in parts", error);
                }
            } finally {
                int _ = (int) Libc.CLOSE.invokeExact(descriptor);
            }
        } catch (IOException | RuntimeException | Error told) {
            throw told;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void require() {
        boolean isLinux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
        if (!isLinux || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            throw new UnsupportedOperationException("this is no Linux of 64 bits");
        }
        if (!Holes.class.getModule().isNativeAccessEnabled()) {
            throw new UnsupportedOperationException(
                    "Java may not call the system: start it with --enable-native-access=ALL-UNNAMED");
        }
    }

    private static IOException failed(Path file, String what, int error) {
        return new IOException(file + " cannot be " + what + ": error " + error);
    }
}
