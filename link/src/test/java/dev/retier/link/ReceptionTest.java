package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.auth.Identity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is let in to a node whose peer has no keeper but speaks message by message. */
class ReceptionTest extends CellFixture {
    private static final Identity ELDER = new Identity(TWO, 6);
    private static final Identity YOUNGER = new Identity(TWO, 7);

    private final Node one;

    ReceptionTest() {
        install();
        one = open(ONE);
        pass(1000);
    }

    private Stranger greet(Identity self, int version) throws IOException {
        world.sourceAddress("127.0.0.2");
        InetSocketAddress address = Objects.requireNonNull(peers.get(ONE));
        Stranger made = new Stranger(self, version, SECRET, ONE, address);
        made.greet(false);
        steps(1);
        return made;
    }

    private Stranger prove(Stranger greeted) throws IOException {
        greeted.prove();
        steps(1);
        greeted.listen();
        return greeted;
    }

    @Test
    void shouldWelcome_whenThePeerProves() throws IOException {
        Stranger peer = prove(greet(ELDER, 3));

        assertThat(peer.received).hasSize(1);
        assertThat(one.servedTo(TWO).ready.peer()).isEqualTo(ELDER);
        assertThat(logged.warnings()).isEmpty();
        pass(10_000);
        assertThat(one.servedTo(TWO).over).as("in use for as long as it stands").isFalse();
    }

    @Test
    void shouldWarnOnceAnHour_whenAPeerSpeaksTheFormerHandshake() throws IOException {
        for (int hour = 0; hour < 2; hour++) {
            for (int i = 0; i < 2; i++) {
                assertThat(prove(greet(ELDER, 2)).received).hasSize(1);
            }
            nowNanos += TimeUnit.HOURS.toNanos(1);
        }

        assertThat(logged.warnings(
                        "node-1 is seen by node-2 at 127.0.0.2 through the former handshake: upgrade that node"))
                .hasSize(2);
    }

    @Test
    void shouldCloseTheOlderConnection_whenTheSameNodeProvesAgain() throws IOException {
        Stranger first = prove(greet(ELDER, 3));
        Use older = one.servedTo(TWO);
        Stranger second = prove(greet(ELDER, 3));
        first.listen();

        assertThat(older.over && older.freed).isTrue();
        assertThat(first.broken).isTrue();
        assertThat(second.broken).isFalse();
        pass(1000);
        assertThat(one.servedTo(TWO).over).isFalse();
    }

    @Test
    void shouldRefuseTheYounger_whenItProvesAfterTheElderHasComeBack() throws IOException {
        prove(greet(ELDER, 3));
        prove(greet(YOUNGER, 3));
        Stranger late = greet(YOUNGER, 3);
        prove(greet(ELDER, 3));
        assertThat(logged.warnings("two agents run as node-2")).hasSize(1);
        prove(late);

        assertThat(late.received).isEmpty();
        assertThat(one.servedTo(TWO).ready.peer()).isEqualTo(ELDER);
        assertThat(one.servedTo(TWO).over).isFalse();
        assertThat(logged.warnings("node-1 refuses 127.0.0.2: node-2 runs twice, and the elder of both stands"))
                .hasSize(1);
        pass(100);
        late.listen();
        assertThat(late.broken).isTrue();
    }

    @Test
    void shouldLetInTheYounger_whenTheEldersConnectionIsOver() throws IOException {
        prove(greet(ELDER, 3));
        prove(greet(YOUNGER, 3));
        prove(greet(ELDER, 3));
        one.servedTo(TWO).ready.onBroken().accept("it broke");
        pass(100);

        assertThat(prove(greet(YOUNGER, 3)).received).hasSize(1);
    }

    @Test
    void shouldHavePlacesAgain_whenPeersHaveProven() throws IOException {
        for (int i = 0; i < 5; i++) {
            prove(greet(ELDER, 3));
        }

        assertThat(one.count(LinkMetric.CONNECTIONS_TURNED_AWAY)).isZero();
    }

    @Test
    void shouldTellNobody_whenAPeersConnectionEndsByItselfBeforeItHasProven() throws IOException {
        Stranger peer = greet(ELDER, 3);
        peer.leave();
        pass(1100);

        assertThat(one.count(LinkMetric.HANDSHAKES_UNPROVEN)).isEqualTo(1);
        assertThat(logged.warnings()).isEmpty();
    }

    @Test
    void shouldTellOfAStranger_whenItsConnectionEndsByItselfBeforeItHasProven() throws IOException {
        one.keeper.peers(
                Map.of(ONE, Objects.requireNonNull(peers.get(ONE)), TWO, new InetSocketAddress("127.0.0.3", 1002)));
        pass(100);
        greet(ELDER, 3).leave();
        pass(1100);

        assertThat(logged.warnings("node-1 refuses 127.0.0.2: its connections end and have proven nothing"))
                .hasSize(1);
    }
}
