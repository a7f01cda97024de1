package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.session.Outstanding.Effect;
import dev.retier.volume.session.Outstanding.Range;
import dev.retier.volume.session.Replay;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is made again of changes: bytes. */
class TicketPartsTest {
    private static final int VOLUME = 3;
    private static final int EPOCH = 5;

    private final TicketParts parts = new TicketParts(new Collector(8));

    private static Replay.Piece<Ticket> piece(Operation operation, int flags, int offset, int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        Request said = new Request(operation, flags, length, offset, VOLUME, EPOCH, 0);
        Pieces data = operation == Operation.WRITE ? Pieces.of(List.of(ByteBuffer.wrap(bytes))) : Pieces.NONE;
        Ticket ticket = Ticket.of(said, data, Pieces.NONE, new Pending(waiting(), _ -> {}));
        return new Replay.Piece<>(ticket, ticket.range());
    }

    private static Waiting waiting() {
        return new Waiting(new Collector(8), Completion.DEFAULT);
    }

    private static ByteBuffer bytes(Ticket ticket) {
        ByteBuffer bytes = ByteBuffer.allocate(ticket.data().bytes());
        ticket.data().copyTo(bytes);
        return bytes.flip();
    }

    @Test
    void shouldHaveWhatTheLastOneGaveEachByte_whetherItWroteOrMadeZeros() {
        Ticket merged = parts.merged(
                new Range(VOLUME, 100, 200, Effect.CHANGE),
                List.of(
                        piece(Operation.ZERO, 0, 280, 20, 0),
                        piece(Operation.WRITE, 0, 100, 190, 7),
                        piece(Operation.ZERO, 0, 150, 100, 0),
                        piece(Operation.WRITE, Request.FORCED, 240, 20, 9)));

        byte[] expected = new byte[200];
        Arrays.fill(expected, 0, 190, (byte) 7);
        Arrays.fill(expected, 50, 150, (byte) 0);
        Arrays.fill(expected, 140, 160, (byte) 9);
        assertThat(bytes(merged)).isEqualTo(ByteBuffer.wrap(expected));
        assertThat(merged.said()).isEqualTo(new Request(Operation.WRITE, 0, 200, 100, VOLUME, EPOCH, 0));
    }

    @Test
    void shouldBeTheSameChange_ofAPartOfItsRange() {
        Replay.Piece<Ticket> written = piece(Operation.WRITE, Request.FORCED, 4000, 200, 7);
        Ticket part = parts.part(new Replay.Piece<>(written.of(), new Range(VOLUME, 4096, 104, Effect.CHANGE)));
        assertThat(part.said()).isEqualTo(new Request(Operation.WRITE, 0, 104, 4096, VOLUME, EPOCH, 0));
        assertThat(bytes(part).remaining()).isEqualTo(104);

        Replay.Piece<Ticket> zeros = piece(Operation.ZERO, 0, 4000, 200, 0);
        part = parts.part(new Replay.Piece<>(zeros.of(), new Range(VOLUME, 4096, 104, Effect.CHANGE)));
        assertThat(part.said()).isEqualTo(new Request(Operation.ZERO, 0, 104, 4096, VOLUME, EPOCH, 0));
        assertThat(part.data().bytes()).isZero();
    }
}
