package dev.retier.volume.connect;

import dev.retier.volume.session.Outstanding.Range;
import dev.retier.volume.session.Replay;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What is asked for that nobody waits for. Of changes that are made again what was to be forced is on the disk after
 * the next flush.
 */
record TicketParts(Collector collector) implements Replay.Parts<Ticket> {
    /** The volume is still needed. */
    Ticket renewal(int volume, int epoch) {
        return Ticket.of(Request.about(Operation.RENEW, 0, volume, epoch), Pieces.NONE, Pieces.NONE, forNobody());
    }

    private Pending forNobody() {
        return new Pending(new Waiting(collector, Completion.DEFAULT), _ -> {});
    }

    @Override
    public Ticket part(Replay.Piece<Ticket> piece) {
        Ticket whole = piece.of();
        Range range = piece.range();
        Pieces data = whole.operation() == Operation.WRITE
                ? whole.data().part(within(piece), (int) range.length())
                : Pieces.NONE;
        return ticket(whole, whole.operation(), whole.said().flags() & ~Request.FORCED, range, data);
    }

    private static int within(Replay.Piece<Ticket> piece) {
        return Math.toIntExact(piece.range().offset() - piece.of().said().offset());
    }

    @Override
    public Ticket merged(Range range, List<Replay.Piece<Ticket>> pieces) {
        ByteBuffer bytes = ByteBuffer.allocate((int) range.length());
        for (Replay.Piece<Ticket> piece : pieces) {
            int length = (int) piece.range().length();
            ByteBuffer place = bytes.slice((int) (piece.range().offset() - range.offset()), length);
            if (piece.of().operation() == Operation.WRITE) {
                piece.of().data().part(within(piece), length).copyTo(place);
            } else {
                place.put(new byte[length]);
            }
        }
        Ticket newest = pieces.getLast().of();
        return ticket(newest, Operation.WRITE, 0, range, new Pieces(List.of(bytes), bytes.capacity()));
    }

    private Ticket ticket(Ticket of, Operation operation, int flags, Range range, Pieces data) {
        Request said =
                new Request(operation, flags, (int) range.length(), range.offset(), range.volume(), of.epoch(), 0);
        return Ticket.of(said, data, Pieces.NONE, forNobody()).asked(of.askedNanos());
    }
}
