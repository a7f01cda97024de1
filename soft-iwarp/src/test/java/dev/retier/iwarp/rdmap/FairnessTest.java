package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.Fpdu;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Neither the peer's reads nor our own work keeps the other waiting. */
class FairnessTest {
    private static final int READS = 32;

    private static Node node(int stream, boolean initiator, int ord) {
        return new Node(stream, new Agreement(initiator, true, false, false, Set.of(), READS, ord, 0, false), 1442);
    }

    /** With the peer's reads always waiting, a write of ours leaves behind four responses at most. */
    @Test
    void shouldSendOwnWork_whenPeersReadsNeverEnd() {
        Node reader = node(1, true, READS);
        Node writer = node(2, false, READS);
        for (int i = 0; i < READS; i++) {
            reader.post(WorkOpcode.READ, 64 + 8 * i, 8, writer, 0);
        }
        writer.input(reader.output());
        writer.post(WorkOpcode.WRITE, 0, 8, reader, 8);
        writer.bytes().putLong(0, 77);
        byte[] sent = writer.output();
        int response = 2 + 14 + 8 + 4; // length, tagged header, payload, CRC; no pad
        byte[] firstFive = Arrays.copyOf(sent, 5 * response);
        reader.input(firstFive);
        assertThat(reader.bytes().getLong(8)).as("the write came fifth").isEqualTo(77);
    }

    @Test
    void shouldTellThatReadsCannotStart_whenPeerAgreedToNone() {
        assertThat(node(1, true, 0).engine.mayRead()).isFalse();
        assertThat(node(1, true, 1).engine.mayRead()).isTrue();
    }

    /** And the other way round: of two that wait, the peer's read is served first. */
    @Test
    void shouldServePeersReadsFirst_whenOwnWorkWaitsToo() {
        Node reader = node(1, true, READS);
        Node writer = node(2, false, READS);
        for (int i = 0; i < READS; i++) {
            reader.post(WorkOpcode.READ, 64 + 8 * i, 8, writer, 0);
        }
        writer.input(reader.output());
        for (int i = 0; i < READS; i++) {
            writer.post(WorkOpcode.WRITE, 0, 4, reader, 8);
        }
        byte[] sent = writer.output();
        StringBuilder order = new StringBuilder();
        for (int at = 0; at < sent.length; at += Fpdu.totalLength(sent[at + 1])) {
            order.append(sent[at + 3] & 0x0F);
        }
        assertThat(order.toString()).isEqualTo("22220".repeat(READS / 4) + "0".repeat(READS - READS / 4));
    }
}
