package dev.retier.volume.connect;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Extents;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A volume of a server, which this client has for itself until it is closed. A flush that fails is the last one: what
 * it should have brought to the disk may be lost, so that no later one may succeed over it. Thread-safe.
 */
public final class RemoteVolume implements Volume, AutoCloseable {
    /** Of one request that carries no data. */
    private static final long MOST_RANGE = 1L << 30;

    private final Session session;
    private final VolumeName name;
    private final int number;
    private final int epoch;
    private final long bytes;
    private final long unflushedBytes;
    /** Of one request. A longer one is several, which are under way together. */
    private final int mostBytes;

    private volatile String poison = "";

    RemoteVolume(Session session, VolumeName name, Ticket.Ended attached, long unflushedBytes) {
        this.session = session;
        this.name = name;
        this.number = attached.volume();
        this.epoch = attached.epoch();
        this.bytes = attached.value();
        this.unflushedBytes = unflushedBytes;
        this.mostBytes = session.mostBytes();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Of this attachment, unsigned: higher than that of any before. */
    public int epoch() {
        return epoch;
    }

    private void require(long offset, long length) {
        if (offset < 0 || length < 0 || length > bytes || offset > bytes - length) {
            throw new IllegalArgumentException(length + " bytes at " + offset + " of " + name + ", which has " + bytes);
        }
    }

    private Ticket ask(Operation operation, long offset, long length, ByteBuffer data, ByteBuffer into) {
        Ticket ticket =
                new Ticket(operation, 0, (int) length, offset, number, epoch, data, into, new CompletableFuture<>());
        session.ask(ticket);
        return ticket;
    }

    /** The first failure, when all have ended: memory of the caller's is in use until then. */
    private static void await(List<Ticket> tickets) throws IOException {
        IOException first = null;
        for (Ticket ticket : tickets) {
            try {
                ticket.await();
            } catch (IOException failed) {
                first = first == null ? failed : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        require(offset, into.remaining());
        List<Ticket> parts = new ArrayList<>();
        for (int done = 0; done < into.remaining(); ) {
            int length = part(offset + done, into.remaining() - done);
            ByteBuffer place = into.slice(into.position() + done, length);
            parts.add(ask(Operation.READ, offset + done, length, Ticket.NOTHING, place));
            done += length;
        }
        await(parts);
        into.position(into.limit());
    }

    /** Up to where a request goes: parts of a block are at its ends alone. */
    private int part(long offset, int left) {
        return (int) Math.min(left, mostBytes - offset % mostBytes);
    }

    @Override
    public void write(long offset, ByteBuffer from) throws IOException {
        require(offset, from.remaining());
        refusePoisoned();
        keepBelowLimit();
        // A copy, as it may have to be sent again when the caller's memory is in use for something else.
        ByteBuffer own = ByteBuffer.allocate(from.remaining()).put(from).flip();
        List<Ticket> parts = new ArrayList<>();
        for (int done = 0; done < own.limit(); ) {
            int length = part(offset + done, own.limit() - done);
            parts.add(ask(Operation.WRITE, offset + done, length, own.slice(done, length), Ticket.NOTHING));
            done += length;
        }
        await(parts);
    }

    private void refusePoisoned() throws IOException {
        if (!poison.isEmpty()) {
            throw new IOException("a flush of " + name + " failed (" + poison + "), so that what was written may be"
                    + " lost; attach it anew");
        }
    }

    private void keepBelowLimit() throws IOException {
        if (session.unflushedBytes(number) > unflushedBytes) {
            flush();
        }
    }

    @Override
    public void zero(long offset, long length) throws IOException {
        require(offset, length);
        refusePoisoned();
        keepBelowLimit();
        List<Ticket> parts = new ArrayList<>();
        for (long done = 0; done < length; ) {
            long some = Math.min(length - done, MOST_RANGE);
            parts.add(ask(Operation.ZERO, offset + done, some, Ticket.NOTHING, Ticket.NOTHING));
            done += some;
        }
        await(parts);
    }

    @Override
    public void flush() throws IOException {
        refusePoisoned();
        try {
            ask(Operation.FLUSH, 0, 0, Ticket.NOTHING, Ticket.NOTHING).await();
        } catch (VolumeException failed) {
            poison = String.valueOf(failed.getMessage());
            throw failed;
        }
    }

    @Override
    public List<Extent> extents(long offset, long length) throws IOException {
        require(offset, length);
        List<Extent> all = new ArrayList<>();
        for (long done = 0; done < length; ) {
            long some = Math.min(length - done, MOST_RANGE);
            Ticket.Ended ended = ask(Operation.EXTENTS, offset + done, some, Ticket.NOTHING, Ticket.NOTHING)
                    .await();
            long told = 0;
            for (Extent extent : Extents.all(ended.data())) {
                all.add(extent);
                told += extent.bytes();
            }
            if (told <= 0 || told > some) {
                throw new IOException("the parts of " + name + " that the server tells cannot be");
            }
            done += told;
        }
        return all;
    }

    private void giveBack() throws IOException {
        try {
            ask(Operation.DETACH, 0, 0, Ticket.NOTHING, Ticket.NOTHING).await();
        } catch (VolumeException failed) {
            // Asked again by another connection it may have been done before.
            if (failed.status() != Status.FENCED) {
                throw failed;
            }
        }
    }

    /** Flushes it and gives it back; others may attach it then. */
    @Override
    public void close() throws IOException {
        try {
            flush();
        } finally {
            giveBack();
            session.forget(number, new IOException(name + " is not attached any more"));
        }
    }
}
