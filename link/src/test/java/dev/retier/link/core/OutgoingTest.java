package dev.retier.link.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Responder;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Secrets;
import dev.retier.link.auth.Versions;
import dev.retier.link.core.Outgoing.Effect;
import dev.retier.link.core.Outgoing.Event;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutgoingTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final ClusterSecret SECRET = ClusterSecret.of("a secret of this cell");
    private static final NodeId THERE = new NodeId(2);

    private final Responder responder = new Responder(offer(THERE, true));
    private long now = 100 * SECOND;
    private final Outgoing link = link(true);

    @Test
    void shouldGoThroughItsLife_whenThePeerAnswers() {
        byte[] hello = ((Effect.Connect) tick().getFirst()).hello();
        assertThat(hello).hasSize(56);
        prove(hello);

        List<Effect> up = on(new Event.Received(responder.welcome(new byte[32])));
        assertThat(up).singleElement().isInstanceOf(Effect.Up.class);
    }

    @Test
    void shouldTellNothingAtFirst_whenThePeerIsNotThereYet() {
        now -= Outgoing.START_NANOS;
        connecting();
        assertThat(on(new Event.Failed("it cannot be reached"))).isEmpty();
        tick();
        now += Outgoing.START_NANOS - 1;
        connecting();
        assertThat(on(new Event.Failed("it cannot be reached"))).isEmpty();
        tick();
        now = link.dueNanos();
        connecting();
        assertThat(on(new Event.Failed("it cannot be reached")))
                .containsExactly(new Effect.TellFailure("it cannot be reached"));
    }

    @Test
    void shouldTellAtOnce_whenThePeerProvesNothingOrWasUpBefore() {
        now -= Outgoing.START_NANOS;
        connecting();
        on(new Event.Established(new byte[104]));
        tick();
        connecting();
        assertThat(on(new Event.Established(new byte[72])))
                .containsExactly(new Effect.TellFailure("not a retier node: the magic word is missing"));
        tick();
        now = link.dueNanos();
        up();
        on(new Event.Failed("the connection broke"));
        on(new Event.HeardOut());
        tick();
        now = link.dueNanos();
        connecting();
        assertThat(on(new Event.Failed("it cannot be reached")))
                .containsExactly(new Effect.TellFailure("it cannot be reached"));
    }

    @Test
    void shouldTryTheFormerHandshakeAtOnceAndThenBackOff_whenThePeerRefuses() {
        assertThat(connecting()).hasSize(56);
        assertThat(on(new Event.Refused("no"))).as("not news yet").isEmpty();
        assertThat(tick()).containsExactly(new Effect.Drop());
        assertThat(connecting()).hasSize(40);
        assertThat(on(new Event.Refused("no"))).containsExactly(new Effect.TellFailure("no"));
        assertThat(tick()).containsExactly(new Effect.Drop());
        assertThat(link.dueNanos() - now).isBetween(37_500_000L, 62_500_000L);
        assertThat(tick()).as("backs off").isEmpty();

        now = link.dueNanos();
        assertThat(connecting()).as("the present one first, again").hasSize(56);
        on(new Event.Refused("no"));
        tick();
        connecting();
        assertThat(on(new Event.Refused("no"))).as("told already").isEmpty();
        tick();
        assertThat(link.dueNanos() - now).as("twice as long").isBetween(75_000_000L, 125_000_000L);
    }

    @Test
    void shouldNotTryTheFormerHandshake_whenItIsSwitchedOffOrNobodyAnswers() {
        Outgoing strict = link(false);
        strict.on(new Event.Tick(now), now);
        strict.on(new Event.Refused("no"), now);
        strict.on(new Event.Tick(now), now);
        assertThat(strict.dueNanos()).isGreaterThan(now);

        connecting();
        now += Outgoing.CONNECT_NANOS + 1;
        assertThat(tick()).containsExactly(new Effect.TellFailure("no answer in 3 s"), new Effect.Drop());
        assertThat(link.dueNanos()).isGreaterThan(now);
    }

    @Test
    void shouldEndTheConnection_whenAnOperationGetsNoAnswerWithinTheBound() {
        up();
        now += 10 * SECOND;
        assertThat(link.on(new Event.Tick(now - 2 * SECOND), now))
                .as("at the bound")
                .isEmpty();
        assertThat(link.on(new Event.Tick(now - 2 * SECOND - 1), now))
                .containsExactly(new Effect.TellStall(), new Effect.Abort("an operation was not answered in time"));
    }

    @Test
    void shouldTellALeave_whenTheGoodbyeComesBehindTheEnd() {
        up();
        assertThat(on(new Event.Refused("it closed the connection")))
                .containsExactly(new Effect.Abort("it closed the connection"));
        assertThat(tick()).as("last words may come").isEmpty();
        on(new Event.Received(bytes(Outgoing.goodbye())));

        assertThat(tick()).containsExactly(new Effect.TellEnd(true, "it closed the connection"), new Effect.Drop());
    }

    @Test
    void shouldTellALossAtOnce_whenThereIsNoMoreToHear() {
        up();
        on(new Event.Failed("the connection broke"));
        on(new Event.HeardOut());

        assertThat(tick()).containsExactly(new Effect.TellEnd(false, "the connection broke"), new Effect.Drop());
    }

    @Test
    void shouldTellALossAfterASecond_whenTheProviderNeverSaysThatThereIsNoMoreToHear() {
        up();
        on(new Event.Failed("the connection broke"));
        now += Outgoing.LAST_WORDS_NANOS - 1;
        assertThat(tick()).isEmpty();
        now++;
        assertThat(tick()).containsExactly(new Effect.TellEnd(false, "the connection broke"), new Effect.Drop());
    }

    @Test
    void shouldWaitForThreeSecondsAndNoLonger_whenNobodyAnswers() {
        connecting();
        assertThat(link.dueNanos()).isEqualTo(now + Outgoing.CONNECT_NANOS);
        assertThat(tick()).isEmpty();
        now += Outgoing.CONNECT_NANOS;
        assertThat(tick()).as("at the bound").isEmpty();
        now++;
        assertThat(tick()).contains(new Effect.TellFailure("no answer in 3 s"));
    }

    @Test
    void shouldEndAtOnce_whenAPeerThatIsUpSaysGoodbye() {
        up();
        assertThat(on(new Event.Received(bytes(Outgoing.goodbye())))).containsExactly(new Effect.Abort("it has left"));
        assertThat(tick()).containsExactly(new Effect.TellEnd(true, "it has left"), new Effect.Drop());
    }

    @Test
    void shouldTakeNothingElseForAGoodbye_whenItIsUp() {
        up();
        assertThat(on(new Event.Received(new byte[] {'R', 'T'}))).isEmpty();
    }

    @Test
    void shouldTryAnotherWay_whenTheAnswerProvesNothing() {
        connecting();
        assertThat(on(new Event.Established(new byte[104]))).as("not news yet").isEmpty();
        assertThat(tick()).containsExactly(new Effect.Drop());
        assertThat(connecting()).as("the former handshake").hasSize(40);
        assertThat(on(new Event.Established(new byte[0])))
                .containsExactly(new Effect.TellFailure("not a retier node: the magic word is missing"));
    }

    @Test
    void shouldBackOffFromTheStart_whenItHasBeenUpInBetween() {
        for (int i = 0; i < 5; i++) {
            connecting();
            on(new Event.Failed("it cannot be reached"));
            tick();
            now = link.dueNanos();
        }
        up();
        on(new Event.Failed("the connection broke"));
        on(new Event.HeardOut());
        tick();

        assertThat(link.dueNanos() - now).isBetween(37_500_000L, 62_500_000L);
    }

    @Test
    void shouldTellEachReasonOnceAndFiveAtMost_whenTheyAlternate() {
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            connecting();
            String reason = "reason " + (i < 20 ? i % 2 : i);
            on(new Event.Failed(reason)).stream()
                    .filter(Effect.TellFailure.class::isInstance)
                    .forEach(_ -> told.add(reason));
            tick();
            now = link.dueNanos();
        }

        assertThat(told).containsExactly("reason 0", "reason 1", "reason 20", "reason 21", "reason 22");
    }

    @Test
    void shouldWaitForTheConnectionManager_whenItsQueuePairBreaksWhileThePeerIsAsked() {
        connecting();
        assertThat(on(new Event.Broken("the connection broke"))).isEmpty();
        assertThat(on(new Event.Failed("it cannot be reached")))
                .containsExactly(new Effect.TellFailure("it cannot be reached"));
    }

    @Test
    void shouldTellOnceAndBackOff_whenWhatThePeerGrantsIsOfNoUse() {
        for (int i = 0; i < 6; i++) {
            up();
            assertThat(on(new Event.Unusable("it grants too little")))
                    .isEqualTo(i == 0 ? List.of(new Effect.TellFailure("it grants too little")) : List.of());
            assertThat(tick()).containsExactly(new Effect.Drop());
            if (i < 5) {
                now = link.dueNanos();
            }
        }

        assertThat(link.dueNanos() - now).as("a second or so").isBetween(750_000_000L, 1_250_000_000L);
    }

    @Test
    void shouldFreeEverything_whenTheNodeCloses() {
        up();
        assertThat(on(new Event.Closed()))
                .containsExactly(new Effect.Abort("this node closed the connection"), new Effect.Drop());
        now += 1000 * SECOND;
        assertThat(tick()).isEmpty();
    }

    private byte[] connecting() {
        return ((Effect.Connect) tick().getFirst()).hello();
    }

    private void up() {
        byte[] hello = connecting();
        prove(hello);
        on(new Event.Received(responder.welcome(new byte[32])));
    }

    private List<Effect> tick() {
        return on(new Event.Tick(now));
    }

    private List<Effect> on(Event event) {
        return link.on(event, now);
    }

    private Outgoing link(boolean former) {
        Outgoing.Setup setup = new Outgoing.Setup(THERE, () -> offer(new NodeId(1), former), 2 * SECOND);
        return new Outgoing(setup, new SplittableRandom(1), () -> new byte[16], now - Outgoing.START_NANOS);
    }

    private static Offer offer(NodeId self, boolean former) {
        return new Offer(
                new Identity(self, 7),
                Secrets.only(SECRET),
                Versions.spoken(former),
                List.of(new Right(2, "")),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES));
    }

    private void prove(byte[] hello) {
        try {
            List<Effect> proof = on(new Event.Established(responder.greeted(hello, new byte[16])));
            responder.proven(bytes(((Effect.Send) proof.getFirst()).message()));
        } catch (BadMessage refusal) {
            throw new AssertionError(refusal.reason(), refusal);
        }
    }

    private static byte[] bytes(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.duplicate().get(bytes);
        return bytes;
    }
}
