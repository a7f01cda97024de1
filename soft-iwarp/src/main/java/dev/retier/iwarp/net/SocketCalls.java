package dev.retier.iwarp.net;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of Linux's sockets that Java does not have. They are made only by who allows native access to this code
 * ({@code --enable-native-access}): nobody else is to find a warning of the virtual machine's. Safe for any thread.
 */
final class SocketCalls {
    private static final Logger LOG = LoggerFactory.getLogger(SocketCalls.class);

    // Linux, on all 64-bit systems that Java has.
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_MAXSEG = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PROTOCOL = 38;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_EOR = 0x80;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int EFD_NONBLOCK = 0x800;
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int EPIPE = 32;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;

    /** Where a call leaves its error. */
    static final MemoryLayout STATE = Linker.Option.captureStateLayout();

    private static final long ERRNO_AT = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final boolean ALLOWED = allowed();

    private SocketCalls() {}

    /** The functions, linked on first use. */
    @SuppressWarnings("restricted") // asked for before
    private static final class Libc {
        static final MethodHandle SEND_MESSAGES = function(
                "sendmmsg",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT),
                Linker.Option.captureCallState("errno"));
        static final MethodHandle SEND = bytes("send");
        static final MethodHandle RECEIVE = bytes("recv");
        static final MethodHandle SEND_MESSAGE = message("sendmsg");
        static final MethodHandle RECEIVE_MESSAGE = message("recvmsg");
        static final MethodHandle POLL = function(
                "poll",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        static final MethodHandle EVENT = function(
                "eventfd", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        static final MethodHandle READ_EVENT = event("eventfd_read");
        static final MethodHandle WRITE_EVENT = function(
                "eventfd_write",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        static final MethodHandle CLOSE =
                function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        static final MethodHandle GET_OPTION = function(
                "getsockopt",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
        static final MethodHandle GET_LOCAL = name("getsockname");
        static final MethodHandle GET_REMOTE = name("getpeername");

        private Libc() {}

        private static MethodHandle bytes(String name) {
            return function(
                    name,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT),
                    Linker.Option.captureCallState("errno"));
        }

        private static MethodHandle message(String name) {
            return function(
                    name,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    Linker.Option.captureCallState("errno"));
        }

        private static MethodHandle event(String name) {
            return function(
                    name, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        }

        private static MethodHandle name(String name) {
            return function(
                    name,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        }

        private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
        }
    }

    private static boolean allowed() {
        boolean isLinux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
        if (!isLinux || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            return false;
        }
        boolean isEnabled = SocketCalls.class.getModule().isNativeAccessEnabled();
        if (isEnabled) {
            return areLinked();
        }
        LOG.debug("FPDUs towards strangers lie within TCP's segments while TCP keeps up, but not always;"
                + " they do with --enable-native-access=ALL-UNNAMED");
        return false;
    }

    /** A virtual machine without a linker, or a C library without one of the calls, has Java's channels left. */
    @SuppressWarnings("ReturnValueIgnored") // it is looked for, not called
    private static boolean areLinked() {
        try {
            Libc.SEND.type();
            return true;
        } catch (LinkageError e) {
            LOG.warn("sockets are used by Java's channels, as the system's own calls are not to be had", e);
            return false;
        }
    }

    /** Whether the system has these calls, and the program may make them. */
    static boolean areAllowed() {
        return ALLOWED;
    }

    /**
     * Sends some {@code struct mmsghdr}s, each of which ends a segment, without waiting. Returns how many TCP took, the
     * last of them perhaps in part; it is in their lengths.
     */
    static int send(int descriptor, MemorySegment messages, int count, MemorySegment state) throws IOException {
        int sent;
        try {
            sent = (int) Libc.SEND_MESSAGES.invokeExact(
                    state, descriptor, messages, count, MSG_EOR | MSG_DONTWAIT | MSG_NOSIGNAL);
        } catch (Throwable e) {
            throw new IllegalStateException("sendmmsg", e);
        }
        int errno = sent < 0 ? state.get(ValueLayout.JAVA_INT, ERRNO_AT) : 0;
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            throw new IOException("sendmmsg failed with error " + errno);
        }
        return Math.max(0, sent);
    }

    /** Sends all bytes of a segment without waiting. Returns how many TCP took. */
    static int sendBytes(int descriptor, MemorySegment bytes, MemorySegment state) throws IOException {
        long sent;
        try {
            sent = (long)
                    Libc.SEND.invokeExact(state, descriptor, bytes, bytes.byteSize(), MSG_DONTWAIT | MSG_NOSIGNAL);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw e; // memory on the heap, or closed
        } catch (Throwable e) {
            throw new IllegalStateException("send", e);
        }
        return sent >= 0 ? (int) sent : none("send", state);
    }

    /** The same of a {@code struct msghdr}: the memory that it names is the caller's to keep. */
    static int send(int descriptor, MemorySegment message, MemorySegment state) throws IOException {
        long sent;
        try {
            sent = (long) Libc.SEND_MESSAGE.invokeExact(state, descriptor, message, MSG_DONTWAIT | MSG_NOSIGNAL);
        } catch (Throwable e) {
            throw new IllegalStateException("sendmsg", e);
        }
        return sent >= 0 ? (int) sent : none("sendmsg", state);
    }

    /** Receives into a segment without waiting. Returns how many bytes came: 0 if none, -1 at the end of the stream. */
    static int receiveBytes(int descriptor, MemorySegment space, MemorySegment state) throws IOException {
        long came;
        try {
            came = (long) Libc.RECEIVE.invokeExact(state, descriptor, space, space.byteSize(), MSG_DONTWAIT);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw e; // memory on the heap, or closed
        } catch (Throwable e) {
            throw new IllegalStateException("recv", e);
        }
        return came > 0 ? (int) came : came == 0 ? -1 : none("recv", state);
    }

    /** The same into a {@code struct msghdr}. */
    static int receive(int descriptor, MemorySegment message, MemorySegment state) throws IOException {
        long came;
        try {
            came = (long) Libc.RECEIVE_MESSAGE.invokeExact(state, descriptor, message, MSG_DONTWAIT);
        } catch (Throwable e) {
            throw new IllegalStateException("recvmsg", e);
        }
        return came > 0 ? (int) came : came == 0 ? -1 : none("recvmsg", state);
    }

    /** 0 if there was nothing to be had at the moment. */
    private static int none(String call, MemorySegment state) throws IOException {
        int errno = state.get(ValueLayout.JAVA_INT, ERRNO_AT);
        if (errno != EAGAIN && errno != EINTR) {
            throw new IOException(call + ": " + words(errno));
        }
        return 0;
    }

    private static String words(int errno) {
        return switch (errno) {
            case EPIPE -> "Broken pipe";
            case ECONNRESET -> "Connection reset by peer";
            case ETIMEDOUT -> "Connection timed out";
            default -> "error " + errno;
        };
    }

    /** A new descriptor of a counter that is never waited for by a read, or -1. */
    static int event() {
        try {
            return (int) Libc.EVENT.invokeExact(0, EFD_CLOEXEC | EFD_NONBLOCK);
        } catch (Throwable e) {
            throw new IllegalStateException("eventfd", e);
        }
    }

    /** Makes a counter readable. */
    static void raise(int event) {
        try {
            var _ = (int) Libc.WRITE_EVENT.invokeExact(event, 1L);
        } catch (Throwable e) {
            throw new IllegalStateException("eventfd_write", e);
        }
    }

    /** Makes a counter no longer readable; {@code value} is room for its 8 bytes. */
    static void lower(int event, MemorySegment value) {
        try {
            var _ = (int) Libc.READ_EVENT.invokeExact(event, value);
        } catch (Throwable e) {
            throw new IllegalStateException("eventfd_read", e);
        }
    }

    /** Closes a descriptor that is not one of Java's. */
    static void close(int descriptor) {
        try {
            var _ = (int) Libc.CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException("close", e);
        }
    }

    /** Waits for one of some {@code struct pollfd}s. Returns how many are ready; 0 or less if none was in time. */
    static int poll(MemorySegment descriptors, int count, int millis) {
        try {
            return (int) Libc.POLL.invokeExact(descriptors, (long) count, millis);
        } catch (Throwable e) {
            throw new IllegalStateException("poll", e);
        }
    }

    /** TCP's maximum segment size of a connection, 0 if the system does not tell. */
    static int segmentBytes(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            return option(descriptor, IPPROTO_TCP, TCP_MAXSEG, arena.allocate(2 * Integer.BYTES, Integer.BYTES));
        }
    }

    /** Whether that is the number of a socket of TCP's. {@code memory} is room for two ints. */
    static boolean isTcp(int descriptor, MemorySegment memory) {
        return option(descriptor, SOL_SOCKET, SO_PROTOCOL, memory) == IPPROTO_TCP;
    }

    /** The address of one end of a socket, as {@code getsockname} has it. Returns whether it has one. */
    static boolean address(int descriptor, boolean isRemote, MemorySegment address, MemorySegment length) {
        try {
            int failed = isRemote
                    ? (int) Libc.GET_REMOTE.invokeExact(descriptor, address, length)
                    : (int) Libc.GET_LOCAL.invokeExact(descriptor, address, length);
            return failed == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("the address of a socket", e);
        }
    }

    /** An option that is an int; 0 if the descriptor has none. {@code memory} is room for two ints. */
    private static int option(int descriptor, int level, int name, MemorySegment memory) {
        MemorySegment length = memory.asSlice(Integer.BYTES);
        length.set(ValueLayout.JAVA_INT, 0, Integer.BYTES);
        try {
            int failed = (int) Libc.GET_OPTION.invokeExact(descriptor, level, name, memory, length);
            return failed == 0 ? memory.get(ValueLayout.JAVA_INT, 0) : 0;
        } catch (Throwable e) {
            throw new IllegalStateException("getsockopt", e);
        }
    }
}
