package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HalfOpenPlacesTest {
    private static final InetAddress PEER = address(1);
    private static final Set<InetAddress> EXPECTED = Set.of(PEER);

    private final HalfOpenPlaces<Integer> places = new HalfOpenPlaces<>(10, 3);

    private static InetAddress address(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The process has files, too, and its own connections. */
    @Test
    void shouldLeaveMostDescriptorsToTheProcess() {
        assertThat(HalfOpenPlaces.most(256)).isEqualTo(64);
        assertThat(HalfOpenPlaces.most(1 << 20)).isEqualTo(1024);
        assertThat(HalfOpenPlaces.most(Long.MAX_VALUE)).isEqualTo(1024);
        assertThat(HalfOpenPlaces.most(20)).as("some can always begin").isEqualTo(16);
    }

    @Test
    void shouldDropTheOldestOfTheAddress_whenItHasItsPlaces() {
        for (int i = 0; i < 3; i++) {
            assertThat(places.enter(address(9), i, EXPECTED)).isNull();
        }
        assertThat(places.enter(address(8), 50, EXPECTED)).isNull();
        assertThat(places.enter(address(9), 3, EXPECTED)).isEqualTo(0);
        places.leave(address(9), 0);
        assertThat(places.count()).isEqualTo(4);
    }

    @Test
    void shouldDropTheOldestStranger_whenStrangersHaveTheirPlaces() {
        ArrayDeque<Integer> dropped = new ArrayDeque<>();
        for (int i = 0; i < 30; i++) {
            Integer goes = places.enter(address(10 + i), i, EXPECTED);
            if (goes != null) {
                places.leave(address(10 + goes), goes);
                dropped.add(goes);
            }
        }
        assertThat(dropped).hasSize(20).startsWith(0, 1, 2).endsWith(19);
        assertThat(places.count()).isEqualTo(10);
        assertThat(places.oldest()).isEqualTo(20);
    }

    @Test
    void shouldKeepPlacesOfExpectedPeers_whenStrangersFlood() {
        assertThat(places.enter(PEER, 1000, EXPECTED)).isNull();
        for (int i = 0; i < 200; i++) {
            Integer goes = places.enter(address(10 + i), i, EXPECTED);
            assertThat(goes == null || goes < 1000).isTrue();
            if (goes != null) {
                places.leave(address(10 + goes), goes);
            }
        }
        assertThat(places.enter(PEER, 1001, EXPECTED)).as("a place of its own").isNull();
        assertThat(places.count()).isEqualTo(12);
    }

    @Test
    void shouldNameAStrangerFirst_whenRoomIsNeeded() {
        places.enter(PEER, 1, EXPECTED);
        places.enter(address(9), 2, EXPECTED);
        assertThat(places.oldest()).isEqualTo(2);
        places.leave(address(9), 2);
        assertThat(places.oldest()).isEqualTo(1);
    }

    @Test
    void shouldForgetAddresses_whenTheirConnectionsLeft() {
        for (int i = 0; i < 8; i++) {
            places.enter(address(i), i, EXPECTED);
        }
        for (int i = 0; i < 8; i++) {
            places.leave(address(i), i);
            places.leave(address(i), i);
        }
        assertThat(places.count()).isZero();
        assertThat(places.oldest()).isNull();
    }
}
