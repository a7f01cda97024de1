package dev.retier.link.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Initiator;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Responder;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Secrets;
import dev.retier.link.auth.Versions;
import dev.retier.link.core.Incoming.Effect;
import dev.retier.link.core.Incoming.Event;
import dev.retier.link.core.Incoming.Phase;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IncomingTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final ClusterSecret SECRET = ClusterSecret.of("a secret of this cell");
    private static final NodeId HERE = new NodeId(1);
    private static final NodeId PEER = new NodeId(2);

    private Initiator initiator = initiator(PEER);
    private byte[] challenge = {};
    private Incoming link = incoming();

    private static Initiator initiator(NodeId node) {
        return new Initiator(offer(node), new Initiator.Try(3, SECRET), HERE);
    }

    /** Of the initiator, which has greeted and is challenged. */
    private Incoming incoming() {
        Responder responder = new Responder(offer(HERE));
        try {
            challenge = responder.greeted(initiator.hello(new byte[16]), new byte[16]);
        } catch (BadMessage refusal) {
            throw new AssertionError(refusal.reason(), refusal);
        }
        return new Incoming(new Incoming.Setup(PEER::equals, 2 * SECOND), responder, 0);
    }

    @Test
    void shouldAdmitAndThenBeInUse_whenAPeerProves() {
        assertThat(prove(PEER)).singleElement().isInstanceOf(Effect.Admit.class);
        assertThat(link.phase()).isEqualTo(Phase.PROVEN);
        assertThat(link.welcome(new byte[32]).remaining()).isEqualTo(80);
        assertThat(link.on(new Event.Tick(100 * SECOND), 100 * SECOND)).isEmpty();
        assertThat(link.on(new Event.Received(new byte[1]), 0))
                .containsExactly(new Effect.TellOver("it says more than a handshake"));
    }

    @Test
    void shouldRefuse_whenAProvenNodeIsNotAmongThePeers() {
        assertThat(prove(new NodeId(9))).containsExactly(new Effect.Refuse("node-9 is not among this cell's peers"));
        assertThat(link.isToBeFreed(0)).isTrue();
    }

    @Test
    void shouldEndUnproven_whenNothingIsProvenInTime() {
        assertThat(link.on(new Event.Tick(Incoming.PROVE_NANOS), Incoming.PROVE_NANOS))
                .isEmpty();
        long late = Incoming.PROVE_NANOS + 1;
        assertThat(link.on(new Event.Tick(late), late)).containsExactly(new Effect.TellUnproven(false));
        assertThat(link.isToBeFreed(late)).isTrue();
        assertThat(link.on(new Event.Broken("again"), late)).isEmpty();
    }

    @Test
    void shouldEnd_whenAnOperationGetsNoAnswerWithinTheBound() {
        prove(PEER);
        assertThat(link.on(new Event.Tick(0), 2 * SECOND)).isEmpty();
        assertThat(link.on(new Event.Tick(0), 2 * SECOND + 1))
                .containsExactly(new Effect.TellOver("an operation was not answered in time"));
    }

    @Test
    void shouldWaitForTheTerminateAndTellItOnce_whenTheConnectionIsGone() {
        prove(PEER);
        link.on(new Event.Disconnected(), 0);
        assertThat(link.isToBeFreed(0)).as("its last words may come").isFalse();
        assertThat(link.on(new Event.HeardOut(0x0100), 5)).containsExactly(new Effect.TellForger());
        assertThat(link.on(new Event.HeardOut(0x0100), 5)).isEmpty();
        assertThat(link.isToBeFreed(5)).isTrue();
    }

    @Test
    void shouldBeFreedAfterASecond_whenTheProviderSaysNothing() {
        prove(PEER);
        link.on(new Event.Disconnected(), 0);
        assertThat(link.isToBeFreed(Outgoing.LAST_WORDS_NANOS - 1)).isFalse();
        assertThat(link.isToBeFreed(Outgoing.LAST_WORDS_NANOS)).isTrue();
    }

    @Test
    void shouldBeFreedAtOnce_whenThisNodeEndsAConnectionThatStands() {
        prove(PEER);
        link.on(new Event.Broken("superseded"), 7);
        assertThat(link.isToBeFreed(7)).isTrue();
    }

    @Test
    void shouldBeDueWhenItsTimeIsUp_whileNothingIsProven() {
        assertThat(link.dueNanos()).isEqualTo(Incoming.PROVE_NANOS);
        prove(PEER);
        assertThat(link.dueNanos()).as("but for stalls").isEqualTo(Long.MAX_VALUE);
        link.on(new Event.Disconnected(), 7);
        assertThat(link.dueNanos()).isEqualTo(7 + Outgoing.LAST_WORDS_NANOS);
    }

    @Test
    void shouldTellThatItEndedOfItself_whenAConnectionThatHasProvenNothingIsGone() {
        assertThat(link.on(new Event.Broken("the connection broke"), 7)).containsExactly(new Effect.TellUnproven(true));
        assertThat(link.phase()).isEqualTo(Phase.OVER);
        assertThat(link.on(new Event.Received(new byte[8]), 8)).isEmpty();
    }

    @Test
    void shouldBeFreedAtOnce_whenItsLastWordsCameBeforeItsEnd() {
        prove(PEER);
        assertThat(link.on(new Event.HeardOut(0), 5)).as("nothing was forged").isEmpty();
        assertThat(link.on(new Event.Disconnected(), 7)).containsExactly(new Effect.TellOver("the connection is over"));
        assertThat(link.isToBeFreed(7)).isTrue();
        assertThat(link.isToBeFreed(6)).isFalse();
    }

    @Test
    void shouldBeFreed_whenItWasToBeAdmittedAndMustNot() {
        prove(PEER);
        assertThat(link.refuse("it runs twice", 9)).containsExactly(new Effect.Refuse("it runs twice"));
        assertThat(link.isToBeFreed(9)).isTrue();
    }

    @Test
    void shouldCallNobodyAForger_whenHisVersionOfDdpIsRefused() {
        prove(PEER);
        assertThat(link.on(new Event.HeardOut(0x1104), 5)).isEmpty();
        assertThat(link.on(new Event.HeardOut(0x1101), 5)).containsExactly(new Effect.TellForger());
    }

    private List<Effect> prove(NodeId node) {
        initiator = initiator(node);
        link = incoming();
        try {
            return link.on(new Event.Received(initiator.challenged(challenge)), 0);
        } catch (BadMessage refusal) {
            throw new AssertionError(refusal.reason(), refusal);
        }
    }

    private static Offer offer(NodeId self) {
        return new Offer(
                new Identity(self, 7),
                Secrets.only(SECRET),
                Versions.spoken(true),
                List.of(new Right(2, "")),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES));
    }
}
