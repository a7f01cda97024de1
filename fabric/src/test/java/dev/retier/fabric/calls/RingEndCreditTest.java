package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When an end tells its peer what it has taken, and how many of its writes are under way at once. */
class RingEndCreditTest {
    private static final int RING = 4096;
    private static final int BODY = 992;

    @Test
    void shouldTellThePeer_whenHalfOfTheMessagesAreTaken() throws ProtocolError {
        Pair pair = new Pair(8);
        for (int i = 0; i < 3; i++) {
            pair.bring(0);
            assertThat(pair.end.next()).as("after message %s", i).isEmpty();
        }
        pair.bring(0);

        assertThat(pair.end.next()).contains(new RingEnd.Write(0, 0, Immediates.creditUpdate(4)));
        assertThat(pair.end.next()).isEmpty();
    }

    @Test
    void shouldTellThePeer_whenAQuarterOfTheRingIsTaken() throws ProtocolError {
        Pair pair = new Pair(64);
        pair.bring(480);
        assertThat(pair.end.next()).isEmpty();
        pair.bring(480);

        assertThat(pair.end.next()).contains(new RingEnd.Write(0, 0, Immediates.creditUpdate(2)));
    }

    @Test
    void shouldNotTellThePeer_whenAlmostAQuarterOfTheRingIsTakenWithWhatWasLeftOver() throws ProtocolError {
        Pair pair = new Pair(64);
        pair.leaveOver128();
        pair.bring(856);

        assertThat(pair.end.next()).isEmpty();
    }

    @Test
    void shouldTellThePeer_whenAQuarterOfTheRingIsTakenWithWhatWasLeftOver() throws ProtocolError {
        Pair pair = new Pair(64);
        pair.leaveOver128();
        pair.bring(864);

        assertThat(pair.end.next()).contains(new RingEnd.Write(0, 0, Immediates.creditUpdate(5)));
    }

    @Test
    void shouldWriteNoMore_whenAllItsSendsAreUnderWayWithMessages() throws ProtocolError {
        Pair pair = new Pair(4);
        for (int i = 1; i <= 12; i++) {
            pair.peer.offer(Message.cancel(i));
            assertThat(pair.peer.next()).as("write %s", i).isPresent();
            pair.peer.take(Immediates.creditUpdate(i));
        }
        pair.peer.offer(Message.cancel(13));
        assertThat(pair.peer.next()).isEmpty();

        pair.peer.sent();
        assertThat(pair.peer.next()).isPresent();
        pair.peer.take(Immediates.creditUpdate(13));
        pair.peer.offer(Message.cancel(14));
        assertThat(pair.peer.next()).isEmpty();
    }

    @Test
    void shouldWriteNoMore_whenAllItsSendsAreUnderWayWithCredit() throws ProtocolError {
        Pair pair = new Pair(4);
        for (int i = 1; i <= 12; i++) {
            pair.bringTwo();
            Optional<RingEnd.Write> write = pair.end.next();
            assertThat(write).contains(new RingEnd.Write(0, 0, Immediates.creditUpdate(2L * i)));
            pair.peer.take(write.orElseThrow().immediate());
        }
        pair.bringTwo();
        assertThat(pair.end.next()).isEmpty();

        pair.end.sent();
        assertThat(pair.end.next()).contains(new RingEnd.Write(0, 0, Immediates.creditUpdate(26)));
    }

    private static final class Pair {
        final RingEnd peer;
        final RingEnd end;
        final MemorySegment peerStaging = memory();
        final MemorySegment ring = memory();

        Pair(int messages) {
            RingLimits limits = new RingLimits(RING, messages, BODY);
            this.peer = new RingEnd(limits, peerStaging, memory());
            this.end = new RingEnd(limits, memory(), ring);
        }

        /** The peer sends a message with such a body, and the end takes it. */
        void bring(int bodyBytes) throws ProtocolError {
            peer.offer(Message.open(new byte[bodyBytes]));
            RingEnd.Write write = peer.next().orElseThrow();
            peer.sent();
            ring.asSlice(write.offset(), write.lengthBytes())
                    .copyFrom(peerStaging.asSlice(write.offset(), write.lengthBytes()));
            assertThat(end.take(write.immediate())).isPresent();
        }

        void bringTwo() throws ProtocolError {
            bring(0);
            bring(0);
        }

        /** The next large record does not fit before the end of the ring, of which 128 bytes are left. */
        void leaveOver128() throws ProtocolError {
            for (int i = 0; i < 4; i++) {
                bring(960);
            }
            peer.take(end.next().orElseThrow().immediate());
        }

        private static MemorySegment memory() {
            return Arena.ofAuto().allocate(RING, 8);
        }
    }
}
