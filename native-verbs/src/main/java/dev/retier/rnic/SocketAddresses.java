package dev.retier.rnic;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Linux's {@code struct sockaddr_in} and {@code sockaddr_in6} ({@code netinet/in.h}). Stateless. */
final class SocketAddresses {
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final int PORT = 2;
    private static final int IPV4 = 4;
    private static final int IPV6 = 8;
    private static final int SCOPE = 24;
    private static final int BYTES = 128;
    private static final int PORT_MASK = 0xFFFF;
    private static final ValueLayout.OfShort PORT_LAYOUT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {}

    /** One in memory of {@code arena}. */
    static MemorySegment of(SocketAddress address, Arena arena) throws IOException {
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            throw new IOException("address " + address + " is no IP address that resolves");
        }
        MemorySegment memory = arena.allocate(BYTES, Long.BYTES);
        InetAddress host = inet.getAddress();
        boolean isLong = host instanceof Inet6Address;
        memory.set(ValueLayout.JAVA_SHORT, 0, isLong ? AF_INET6 : AF_INET);
        memory.set(PORT_LAYOUT, PORT, (short) inet.getPort());
        byte[] bytes = host.getAddress();
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, isLong ? IPV6 : IPV4, bytes.length);
        if (host instanceof Inet6Address six) {
            memory.set(ValueLayout.JAVA_INT, SCOPE, six.getScopeId());
        }
        return memory;
    }

    /** What is written there; null if that is no IP address, as long as none is known. */
    static @Nullable InetSocketAddress read(MemorySegment memory) throws UnknownHostException {
        int family = memory.get(ValueLayout.JAVA_SHORT, 0);
        int port = memory.get(PORT_LAYOUT, PORT) & PORT_MASK;
        return switch (family) {
            case AF_INET ->
                new InetSocketAddress(
                        InetAddress.getByAddress(
                                memory.asSlice(IPV4, Integer.BYTES).toArray(ValueLayout.JAVA_BYTE)),
                        port);
            case AF_INET6 ->
                new InetSocketAddress(
                        Inet6Address.getByAddress(
                                null,
                                memory.asSlice(IPV6, 2L * Long.BYTES).toArray(ValueLayout.JAVA_BYTE),
                                memory.get(ValueLayout.JAVA_INT, SCOPE)),
                        port);
            default -> null;
        };
    }
}
