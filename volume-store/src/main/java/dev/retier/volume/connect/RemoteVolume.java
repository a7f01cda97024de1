package dev.retier.volume.connect;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A volume of a server, which this client has for itself until it is closed, or reads beside others: the interface
 * for programs (cDSA of seed 000). What is asked for by {@code start...} is under way when that returns, or, with
 * many under way, when the thread polls or waits, after a few more, or within a millisecond; it ends in any order;
 * what is of {@link Volume} waits for its end. Changes of the same bytes are made in the order in which they were
 * started; a read that is started while a change of the same bytes is under way may see either. Of several buffers
 * each is read or filled from its position to its limit, one behind the other.
 *
 * <p>A flush that fails is the last one: what it should have brought to the disk may be lost, so that no later one may
 * succeed over it, and the volume must be attached anew.
 *
 * <p>Thread-safe: any thread starts, polls and waits. How it waits is said by its {@link #mode}; one thread that starts
 * and polls, with more under way than {@link Completion#batchAbove}, is never woken and wakes nobody.
 */
public final class RemoteVolume implements Volume, AutoCloseable {
    /** Of one request that carries no data. */
    private static final long MOST_RANGE = Request.MOST_HINT_BYTES;

    /** What is started and has not ended; who starts more waits. */
    static final int MOST_UNDER_WAY = 1024;

    private final Session session;
    private final VolumeName name;
    private final int number;
    private final int epoch;
    private final long bytes;
    private final Client client;
    private final CompletableFuture<VolumeException> lost;
    /** What begins; what is longer than one request takes is several of them, under way together. */
    private final Started started;

    private final Poison poison;
    private final Runnable post;
    private final UnflushedLimit limit;

    /**
     * What it has of its client.
     *
     * @param unflushedBytes with more that were answered and not flushed it flushes by itself
     */
    record Client(Waiting waiting, Arenas arenas, long unflushedBytes) {}

    RemoteVolume(Session session, VolumeName name, Ticket.Ended attached, Client client) {
        this.session = session;
        this.name = name;
        this.number = attached.volume();
        this.epoch = attached.epoch();
        this.bytes = attached.value();
        this.client = client;
        this.started = new Started(client.waiting);
        this.lost = session.lost(number);
        this.poison = new Poison(name);
        this.post = session::post;
        this.limit = new UnflushedLimit(
                client.unflushedBytes, () -> new Pending(client.waiting, poison::flushed), this::askToFlush, post);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean isReadOnly() {
        return epoch == 0;
    }

    /** Completes, with why, when somebody has taken the volume or it is gone: all that is asked of it fails then. */
    public CompletionStage<VolumeException> lost() {
        return lost.minimalCompletionStage();
    }

    /** Of this attachment, unsigned: higher than that of any before; 0 of one for reading. */
    public int epoch() {
        return epoch;
    }

    /** What is known of it. */
    public VolumeFacts facts() {
        long unflushed = session.unflushedBytes(number);
        return new VolumeFacts(
                name, number, epoch, bytes, session.mostBytes(), started.count(), unflushed, poison.failures());
    }

    /** How threads wait for this volume from now on. */
    public void mode(CompletionMode mode) {
        client.waiting.mode(mode);
    }

    /**
     * New registered memory, of zeros: what is written from it as {@link Option#LENT} is not copied. It lives as long
     * as a buffer of it is in use; make it once, as each connection registers it once.
     *
     * @throws IllegalArgumentException for more than a GiB, of all volumes of this client together
     */
    public ByteBuffer buffer(int size) {
        return client.arenas.make(size);
    }

    /**
     * Takes what the server has answered; waits for nothing.
     *
     * @return how many of what was started have ended since this, or {@link #await(Duration)}, told last
     */
    public int poll() {
        client.waiting.collect();
        return started.told();
    }

    /**
     * Waits until something that was started has ended, nothing is under way any more, or {@code most} is over.
     *
     * @return as {@link #poll}
     */
    public int await(Duration most) throws InterruptedException {
        return started.await(most);
    }

    private void require(long offset, long length) {
        if (offset < 0 || length < 0 || length > bytes || offset > bytes - length) {
            throw new IllegalArgumentException(length + " bytes at " + offset + " of " + name + ", which has " + bytes);
        }
    }

    /** One request more of {@code pending}; {@code pieces} are read into, or written from. */
    private void ask(Operation operation, int flags, Range range, Pieces pieces, Pending pending) {
        boolean isRead = operation == Operation.READ;
        Pieces data = isRead ? Pieces.NONE : pieces;
        Pieces into = isRead ? pieces : Pieces.NONE;
        int length = (int) range.bytes();
        Request said = new Request(operation, flags, length, range.offset(), number, epoch, 0);
        limit.kept(session.ask(Ticket.of(said, data, into, pending)));
    }

    private void askToFlush(Pending pending) {
        ask(Operation.FLUSH, 0, new Range(0, 0), Pieces.NONE, pending);
    }

    Ticket.Ended ask(Operation operation, Range range) throws IOException {
        Pending pending = pending();
        ask(operation, 0, range, Pieces.NONE, pending);
        session.post();
        return pending.result();
    }

    /** Up to where a request goes: parts of a block are at its ends alone. */
    private int part(long offset, int left) {
        int most = session.mostBytes();
        return (int) Math.min(left, most - offset % most);
    }

    /** Begins to fill {@code into}, whose positions stay, from {@code offset} on; nobody touches it until that ends. */
    public Pending startRead(long offset, ByteBuffer... into) throws IOException {
        return read(offset, 0, Pieces.of(List.of(into)), () -> started.begin(_ -> {}));
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        read(offset, List.of(into));
    }

    @Override
    public void read(long offset, List<ByteBuffer> into) throws IOException {
        read(offset, 0, Pieces.of(into), this::pending).await();
        into.forEach(buffer -> buffer.position(buffer.limit()));
    }

    private Pending pending() {
        return new Pending(client.waiting, _ -> {});
    }

    private Pending read(long offset, int flags, Pieces into, Supplier<Pending> begin) {
        require(offset, into.bytes());
        into.requireWritable();
        Pending pending = begin.get();
        for (int done = 0; done < into.bytes(); ) {
            int length = part(offset + done, into.bytes() - done);
            pending.part();
            Range range = new Range(offset + done, length);
            ask(Operation.READ, flags, range, into.part(done, length), pending);
            done += length;
        }
        return begun(pending);
    }

    /** All of it is asked for. */
    private Pending begun(Pending pending) {
        pending.begun();
        if (pending.leavesAtOnce() && !client.waiting.putsOff(post)) {
            session.post();
            client.waiting.collectIfDeep();
        }
        return pending;
    }

    /**
     * Begins to write all of {@code from}, whose positions stay. With {@link Option#LENT} nothing is copied, if it is
     * in no more than three pieces of {@link #buffer registered} memory; else it was copied when this returns. May wait
     * while {@value #MOST_UNDER_WAY} are under way, or for the disk while twice as much is unflushed as the client's
     * configuration says.
     */
    public Pending startWrite(long offset, Set<Option> options, ByteBuffer... from) throws IOException {
        return write(offset, options, Pieces.of(List.of(from)), () -> started.begin(poison.of(options)));
    }

    @Override
    public void write(long offset, ByteBuffer from, Set<Option> options) throws IOException {
        write(offset, List.of(from), options);
    }

    @Override
    public void write(long offset, List<ByteBuffer> from, Set<Option> options) throws IOException {
        write(offset, options, Pieces.of(from), () -> new Pending(client.waiting, poison.of(options)))
                .await();
        from.forEach(buffer -> buffer.position(buffer.limit()));
    }

    private Pending write(long offset, Set<Option> options, Pieces from, Supplier<Pending> begin) throws IOException {
        poison.refuse(isReadOnly());
        require(offset, from.bytes());
        boolean isWhole = options.contains(Option.WHOLE);
        if (isWhole) {
            Volume.requireWhole(offset, from.bytes());
            if (from.bytes() > session.mostBytes()) {
                throw new IllegalArgumentException(from.bytes() + " bytes cannot be written as a whole, as the server"
                        + " takes " + session.mostBytes() + " at once: raise its staging-slot");
            }
        }
        limit.await();
        // A copy, as it may have to be sent again when the caller's memory is in use for something else.
        Pieces own = options.contains(Option.LENT) ? from : from.copied();
        Pending pending = begin.get();
        for (int done = 0; done < own.bytes(); ) {
            int length = isWhole ? own.bytes() : part(offset + done, own.bytes() - done);
            Pieces data = own.part(done, length);
            pending.part();
            ask(Operation.WRITE, flags(options), new Range(offset + done, length), data, pending);
            done += length;
        }
        return forcedAlone(own.bytes(), options, pending);
    }

    private static int flags(Set<Option> options) {
        return (options.contains(Option.FORCED) ? Request.FORCED : 0)
                | (options.contains(Option.WHOLE) ? Request.WHOLE : 0);
    }

    /** Where nothing is to be changed, that is on the disk after a flush. */
    private Pending forcedAlone(long length, Set<Option> options, Pending pending) {
        if (length == 0 && options.contains(Option.FORCED)) {
            pending.part();
            askToFlush(pending);
        }
        return begun(pending);
    }

    @Override
    public void begin(Task task, Done done) throws IOException {
        switch (task) {
            case Task.Read(long offset, ByteBuffer into, boolean isOnce) ->
                read(
                        offset,
                        isOnce ? Request.ONCE : 0,
                        Pieces.of(List.of(into)),
                        () -> Pending.told(client.waiting, done::ended));
            case Task.Write(long offset, ByteBuffer from, Set<Option> options) ->
                write(offset, options, Pieces.of(List.of(from)), () -> told(done, options));
            case Task.Flush() -> flush(() -> told(done, Set.of(Option.FORCED)));
        }
    }

    private Pending told(Done done, Set<Option> options) {
        return Pending.told(client.waiting, poison.of(options).andThen(done::ended));
    }

    @Override
    public void go() {
        session.post();
    }

    @Override
    public void afterwards(Runnable action) {
        client.waiting.afterwards(action);
    }

    /** Begins to make zeros of a range; see {@link #zero}. */
    public Pending startZero(long offset, long length, Set<Option> options) throws IOException {
        return zero(offset, length, options, () -> started.begin(poison.of(options)));
    }

    @Override
    public void zero(long offset, long length, Set<Option> options) throws IOException {
        zero(offset, length, options, () -> new Pending(client.waiting, poison.of(options)))
                .await();
    }

    private Pending zero(long offset, long length, Set<Option> options, Supplier<Pending> begin) throws IOException {
        poison.refuse(isReadOnly());
        require(offset, length);
        limit.await();
        Pending pending = begin.get();
        askForParts(Operation.ZERO, flags(options), new Range(offset, length), pending);
        return forcedAlone(length, options, pending);
    }

    private void askForParts(Operation operation, int flags, Range range, Pending pending) {
        for (long done = 0; done < range.bytes(); ) {
            long some = Math.min(range.bytes() - done, MOST_RANGE);
            pending.part();
            ask(operation, flags, new Range(range.offset() + done, some), Pieces.NONE, pending);
            done += some;
        }
    }

    /**
     * Tells the server, and waits for its answer and not for its disk. What {@link Hint#WILL_NEED} says it reads to its
     * cache beside what it is asked for: of what waits for that at a time 64 MiB, and no more than half of the cache
     * has room for; more is left out. Nothing where there is no connection at the moment.
     */
    @Override
    public void hint(long offset, long length, Hint hint) throws IOException {
        require(offset, length);
        Pending pending = pending();
        int flags = hint == Hint.WILL_NOT_NEED ? Request.NOT_NEEDED : 0;
        askForParts(Operation.HINT, flags, new Range(offset, length), pending);
        begun(pending).await();
    }

    /** Begins to bring to the disk all that has ended before; see {@link #flush}. */
    public Pending startFlush() throws IOException {
        return flush(() -> started.begin(poison.of(Set.of(Option.FORCED))));
    }

    @Override
    public void flush() throws IOException {
        flush(() -> new Pending(client.waiting, poison.of(Set.of(Option.FORCED))))
                .await();
    }

    private Pending flush(Supplier<Pending> begin) throws IOException {
        if (isReadOnly()) {
            return begun(begin.get());
        }
        poison.refuse(isReadOnly());
        return forcedAlone(0, Set.of(Option.FORCED), begin.get());
    }

    @Override
    public List<Extent> extents(long offset, long length) throws IOException {
        require(offset, length);
        Range range = new Range(offset, length);
        return ExtentsReader.read(
                name, range, MOST_RANGE, some -> ask(Operation.EXTENTS, some).data());
    }

    private void giveBack() throws IOException {
        try {
            ask(Operation.DETACH, new Range(0, 0));
        } catch (VolumeException failed) {
            if (failed.status() != Status.FENCED) { // asked again by another connection it may have been done before
                throw failed;
            }
        }
    }

    /**
     * Flushes it and gives it back; others may attach it then. What is under way fails, or has ended. If it cannot be,
     * the message says what may not be on the server's disk, if anything.
     */
    @Override
    public void close() throws IOException {
        VolumeFacts before = facts();
        try (Closeable _ = this::giveBack) {
            flush();
        } catch (VolumeException refused) {
            throw refused;
        } catch (IOException failed) {
            throw Poison.notGivenBack(name, session.unflushedBytes(number), before.lost(), failed);
        } finally {
            session.forget(number, epoch, new IOException(name + " is not attached any more"));
        }
    }
}
