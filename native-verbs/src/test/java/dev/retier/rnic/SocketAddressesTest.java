package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** As netinet/in.h of Linux has them. */
class SocketAddressesTest {
    private final Arena arena = Arena.ofAuto();

    private static byte[] bytes(MemorySegment memory, int offset, int length) {
        return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldBeASockaddrIn_whenTheAddressIsOfIPv4() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("10.9.0.1"), 0xABCD);
        MemorySegment memory = SocketAddresses.of(address, arena);

        assertThat(memory.get(ValueLayout.JAVA_SHORT, 0)).isEqualTo((short) 2);
        assertThat(bytes(memory, 2, 6)).containsExactly(0xAB, 0xCD, 10, 9, 0, 1);
        assertThat(SocketAddresses.read(memory)).isEqualTo(address);
    }

    @Test
    void shouldBeASockaddrIn6WithItsScope_whenTheAddressIsLinkLocal() throws IOException {
        byte[] local = new byte[16];
        local[0] = (byte) 0xFE;
        local[1] = (byte) 0x80;
        local[15] = 7;
        InetSocketAddress address = new InetSocketAddress(Inet6Address.getByAddress(null, local, 3), 4100);
        MemorySegment memory = SocketAddresses.of(address, arena);

        assertThat(memory.get(ValueLayout.JAVA_SHORT, 0)).isEqualTo((short) 10);
        assertThat(memory.get(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2))
                .isEqualTo((short) 4100);
        assertThat(bytes(memory, 8, 16)).isEqualTo(local);
        assertThat(memory.get(ValueLayout.JAVA_INT, 24)).isEqualTo(3);
        assertThat(SocketAddresses.read(memory)).isEqualTo(address);
    }

    @Test
    void shouldBeNobody_whenNothingIsKnownYet() throws IOException {
        assertThat(SocketAddresses.read(arena.allocate(128, 8))).isNull();
        assertThatThrownBy(() -> SocketAddresses.of(InetSocketAddress.createUnresolved("nowhere", 1), arena))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere");
    }
}
