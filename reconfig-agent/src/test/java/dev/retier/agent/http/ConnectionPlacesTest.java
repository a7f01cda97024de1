package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

class ConnectionPlacesTest {
    private static final int MOST = 3;

    private final ConnectionPlaces places = new ConnectionPlaces(MOST);

    private static final class Client implements ConnectionPlaces.Connection {
        private final SocketAddress address;
        private boolean isOpen = true;

        private Client(int port) {
            this.address = InetSocketAddress.createUnresolved("client", port);
        }

        @Override
        public boolean isOpen() {
            return isOpen;
        }

        @Override
        public void close() {
            isOpen = false;
        }
    }

    private Client connect(int port) {
        Client client = new Client(port);
        places.take(client.address, client);
        return client;
    }

    @Test
    void shouldCloseTheOneLongestWithoutARequest_whenAllPlacesAreTaken() {
        Client first = connect(1);
        Client second = connect(2);
        Client third = connect(3);
        places.answered(first.address);

        Client fourth = connect(4);

        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen() && third.isOpen() && fourth.isOpen()).isTrue();
    }

    @Test
    void shouldCloseNobody_whenClosedOnesMakeRoom() {
        Client first = connect(1);
        Client second = connect(2);
        second.close();
        connect(3);

        connect(4);

        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void shouldNotCloseOneThatWaits_whenAllPlacesAreTaken() {
        Client first = connect(1);
        Client second = connect(2);
        places.keep(first.address);
        connect(3);

        connect(4);

        assertThat(first.isOpen()).isTrue();
        assertThat(second.isOpen()).isFalse();
    }

    @Test
    void shouldCloseOneThatWaited_whenItWasAnsweredAndNobodyElseIsLeft() {
        Client first = connect(1);
        places.keep(first.address);
        places.answered(first.address);
        connect(2);
        connect(3);

        connect(4);

        assertThat(first.isOpen()).isFalse();
    }

    @Test
    void shouldRefuse_whenAllAreKept() {
        for (int port = 1; port <= MOST; port++) {
            places.keep(connect(port).address);
        }

        assertThatThrownBy(() -> connect(4)).isInstanceOf(IllegalStateException.class);
    }
}
