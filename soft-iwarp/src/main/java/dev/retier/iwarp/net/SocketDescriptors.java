package dev.retier.iwarp.net;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The system's numbers of Java's sockets, which Java does not tell. Safe for any thread. */
final class SocketDescriptors {
    private static final Logger LOG = LoggerFactory.getLogger(SocketDescriptors.class);

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
    /** So far from the one that was found last those are looked for that were opened about then. */
    private static final int NEAR = 16;
    /** The first so many are looked through: some hundred microseconds. */
    private static final int FIRST = 512;
    /** A guess if several threads look. */
    private static volatile int lastFound;

    private SocketDescriptors() {}

    /** How many this process may have; as many as it likes where the system does not say. */
    static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /**
     * The descriptor of a connected socket: the one of the process's that has its two addresses, or -1.
     *
     * @param isWorthAll whether to look through all descriptors where it is neither one of the first nor was opened
     *     about when the last one was that was found
     */
    static int of(SocketChannel channel, boolean isWorthAll) throws IOException {
        var local = (InetSocketAddress) channel.getLocalAddress();
        var remote = (InetSocketAddress) channel.getRemoteAddress();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(ADDRESS_BYTES + Integer.BYTES, Long.BYTES);
            int near = near(local, remote, memory);
            return near < 0 && isWorthAll ? listed(local, remote, memory) : near;
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("{} cannot be listed; perhaps there are no descriptors left", DESCRIPTORS, e);
        }
        return -1;
    }

    private static int near(InetSocketAddress local, InetSocketAddress remote, MemorySegment memory)
            throws UnknownHostException {
        int near = lastFound;
        int found = within(near - NEAR, near + NEAR, local, remote, memory);
        if (found < 0) {
            found = within(0, FIRST, local, remote, memory);
        }
        if (found < 0) {
            // A process with many descriptors: a new socket has a number near the lowest one that is free.
            int free = SocketCalls.event();
            if (free >= 0) {
                SocketCalls.close(free);
                found = within(free - NEAR, free + NEAR, local, remote, memory);
            }
        }
        return found;
    }

    private static int within(int from, int to, InetSocketAddress local, InetSocketAddress remote, MemorySegment memory)
            throws UnknownHostException {
        for (int number = Math.max(0, from); number <= to; number++) {
            if (isOf(local, remote, number, memory)) {
                lastFound = number;
                return number;
            }
        }
        return -1;
    }

    private static int listed(InetSocketAddress local, InetSocketAddress remote, MemorySegment memory)
            throws IOException {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path path : descriptors) {
                int number = Integer.parseInt(path.getFileName().toString());
                if (isOf(local, remote, number, memory)) {
                    lastFound = number;
                    return number;
                }
            }
        }
        return -1;
    }

    /** A socket of another protocol may have the same two addresses. */
    private static boolean isOf(InetSocketAddress local, InetSocketAddress remote, int number, MemorySegment memory)
            throws UnknownHostException {
        return SocketCalls.isTcp(number, memory)
                && has(remote, true, number, memory)
                && has(local, false, number, memory);
    }

    private static boolean has(InetSocketAddress address, boolean isRemote, int descriptor, MemorySegment memory)
            throws UnknownHostException {
        MemorySegment length = memory.asSlice(ADDRESS_BYTES);
        length.set(ValueLayout.JAVA_INT, 0, ADDRESS_BYTES);
        // What is no socket, or not connected, has none.
        return SocketCalls.address(descriptor, isRemote, memory, length)
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
