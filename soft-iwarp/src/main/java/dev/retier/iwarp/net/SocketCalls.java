package dev.retier.iwarp.net;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
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
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_EOR = 0x80;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    private static final int ADDRESS_BYTES = 128;
    private static final long PORT_AT = 2;
    private static final long IPV4_AT = 4;
    private static final long IPV6_AT = 8;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
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
        if (!isEnabled) {
            LOG.debug("FPDUs towards strangers lie within TCP's segments while TCP keeps up, but not always;"
                    + " they do with --enable-native-access=ALL-UNNAMED");
        }
        return isEnabled;
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

    /** TCP's maximum segment size of a connection, 0 if the system does not tell. */
    static int segmentBytes(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
            int failed = (int) Libc.GET_OPTION.invokeExact(descriptor, IPPROTO_TCP, TCP_MAXSEG, value, length);
            return failed == 0 ? value.get(ValueLayout.JAVA_INT, 0) : 0;
        } catch (Throwable e) {
            throw new IllegalStateException("getsockopt", e);
        }
    }

    /** The descriptor of a connected socket: the one of the process's that has its two addresses, or -1. */
    static int descriptor(SocketChannel channel) throws IOException {
        var local = (InetSocketAddress) channel.getLocalAddress();
        var remote = (InetSocketAddress) channel.getRemoteAddress();
        try (Arena arena = Arena.ofConfined();
                DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            MemorySegment memory = arena.allocate(ADDRESS_BYTES + Integer.BYTES, Long.BYTES);
            for (Path path : descriptors) {
                int number = Integer.parseInt(path.getFileName().toString());
                if (has(remote, Libc.GET_REMOTE, number, memory) && has(local, Libc.GET_LOCAL, number, memory)) {
                    return number;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("{} cannot be listed; perhaps there are no descriptors left", DESCRIPTORS, e);
        }
        return -1;
    }

    private static boolean has(InetSocketAddress address, MethodHandle call, int descriptor, MemorySegment memory)
            throws UnknownHostException {
        MemorySegment length = memory.asSlice(ADDRESS_BYTES);
        length.set(ValueLayout.JAVA_INT, 0, ADDRESS_BYTES);
        int failed;
        try {
            failed = (int) call.invokeExact(descriptor, memory, length);
        } catch (Throwable e) {
            throw new IllegalStateException("the address of a socket", e);
        }
        // What is no socket, or not connected, fails.
        return failed == 0
                && Short.toUnsignedInt(memory.get(PORT, PORT_AT)) == address.getPort()
                && address.getAddress().equals(host(memory));
    }

    /** As Java has it: an IPv4 address in the shape of an IPv6 one is an IPv4 address. */
    private static @Nullable InetAddress host(MemorySegment memory) throws UnknownHostException {
        return switch (memory.get(ValueLayout.JAVA_SHORT, 0)) {
            case AF_INET ->
                InetAddress.getByAddress(memory.asSlice(IPV4_AT, IPV4_BYTES).toArray(ValueLayout.JAVA_BYTE));
            case AF_INET6 ->
                InetAddress.getByAddress(memory.asSlice(IPV6_AT, IPV6_BYTES).toArray(ValueLayout.JAVA_BYTE));
            default -> null;
        };
    }
}
