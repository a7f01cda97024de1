package dev.retier.volume.connect;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.session.Outstanding;
import dev.retier.volume.session.Outstanding.Asked;
import dev.retier.volume.session.Outstanding.Sent;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client has asked its server for, over whatever connection there is: drives {@link Outstanding}. A lost
 * connection is a pause. Thread-safe.
 */
final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final String server;
    private final Collector collector;
    private final LongSupplier clock;
    private final TicketParts parts;
    /** Guarded by the lock, as all that follows. */
    private final Outstanding<Ticket> outstanding;

    private final Patience patience;
    private final Attached attached = new Attached();
    private final Garbled garbled;

    /** Of which the server was asked to keep it, and has not answered. */
    private final Set<Integer> renewing = new HashSet<>();

    /** Changed with the lock alone, as is the link. */
    private volatile int mostBytes = Request.MOST_DATA_BYTES;

    private volatile @Nullable ServerLink link;

    private @Nullable UUID boot;
    /** Why nothing can be asked for any more; empty while it can. */
    private String over = "";

    Session(String server, Optional<Duration> lostAfter, Collector collector, LongSupplier clock) {
        this.clock = clock;
        this.server = server;
        this.collector = collector;
        this.parts = new TicketParts(collector);
        this.outstanding = new Outstanding<>(parts);
        this.garbled = new Garbled(server);
        this.patience = new Patience(server, lostAfter, clock.getAsLong());
    }

    /** Which volumes are attached, and the epoch of each. */
    Map<Integer, Integer> attached() {
        lock.lock();
        try {
            return attached.epochs();
        } finally {
            lock.unlock();
        }
    }

    /** A connection is ready: sends what is due. */
    void connected(ServerLink fresh) {
        lock.lock();
        try {
            if (fresh.isOver()) {
                return;
            }
            UUID now = fresh.grant().boot();
            boolean isSameBoot = boot == null || boot.equals(now);
            if (!isSameBoot) {
                LOG.warn("{} or its disk has failed: what it may have lost is sent again", server);
            }
            boot = now;
            if (link != null) {
                pause(); // that it is over has not been told yet
            }
            link = fresh;
            mostBytes = Math.min(Request.MOST_DATA_BYTES, fresh.dataBytes());
            outstanding
                    .connected(fresh.grant().slots(), isSameBoot)
                    .forEach(hint -> hint.what().end());
            outstanding
                    .volumes(ticket -> ticket.isLongerThan(mostBytes))
                    .forEach(volume -> detached(volume, Ticket.tooLong(server, mostBytes)));
            collector.connected(fresh.completions());
            send();
            post();
        } finally {
            lock.unlock();
        }
    }

    void lost(ServerLink gone) {
        lock.lock();
        try {
            if (gone.equals(link)) {
                link = null;
                pause();
                collector.lost();
            }
        } finally {
            lock.unlock();
        }
    }

    /** With the lock held: a connection is over. */
    private void pause() {
        outstanding.lost().forEach(hint -> hint.what().end());
        Predicate<Ticket> isTooOld = patience.lost(clock.getAsLong());
        tell(outstanding.expire(isTooOld), patience.lostAgain());
    }

    /** Gives up what has waited too long for a connection. To be called now and then. */
    void expire(long nowNanos) {
        lock.lock();
        try {
            if (link == null && patience.isOver(nowNanos) && outstanding.size() > 0) {
                tell(outstanding.expire(_ -> true), patience.notReached());
            }
        } finally {
            lock.unlock();
        }
    }

    /** From now on nobody waits for the server for longer than that. */
    void hurry(Duration most) {
        lock.lock();
        try {
            patience.hurry(most, link == null, clock.getAsLong());
        } finally {
            lock.unlock();
        }
    }

    private void tell(List<Asked<Ticket>> gone, IOException why) {
        gone.forEach(asked -> {
            isOver(asked);
            asked.what().fail(why);
        });
    }

    /** Nobody waits for it any more. */
    private void isOver(Asked<Ticket> asked) {
        garbled.ended(asked);
        if (asked.what().operation() == Operation.RENEW) {
            renewing.remove(asked.what().volume());
        }
    }

    /** The most data that a request to this server has, as of the last connection. */
    int mostBytes() {
        return mostBytes;
    }

    /** What was asked for leaves now, together. */
    void post() {
        ServerLink to = link;
        if (to != null) {
            to.post();
        }
    }

    /**
     * Asks for it as soon as may be, once {@link #post} is called; its end is told by the ticket. Returns as {@link
     * #unflushedBytes}.
     */
    long ask(Ticket ticket) {
        lock.lock();
        try {
            if (!over.isEmpty()) {
                ticket.fail(new IOException(over));
                return 0;
            }
            if (ticket.operation().needsAttachment() && !attached.has(ticket)) {
                ticket.fail(new VolumeException(Status.FENCED, "the volume is not attached any more"));
                return 0;
            }
            if (ticket.operation() == Operation.DETACH) {
                attached.givesBack(ticket.volume());
            }
            if (ticket.operation() == Operation.HINT && link == null) {
                ticket.end();
                return outstanding.keptBytes(ticket.volume());
            }
            if (ticket.isLongerThan(mostBytes)) { // there was another server when it was cut
                ticket.fail(Ticket.tooLong(server, mostBytes));
                return outstanding.keptBytes(ticket.volume());
            }
            outstanding.ask(ticket.range(), ticket.asked(clock.getAsLong()));
            send();
            return outstanding.keptBytes(ticket.volume());
        } finally {
            lock.unlock();
        }
    }

    /** With the lock held. */
    private void send() {
        ServerLink to = link;
        collector.underWay(outstanding.size());
        if (to == null) {
            return;
        }
        for (Sent<Ticket> sent : outstanding.due()) {
            Ticket ticket = sent.asked().what();
            to.send(sent.slot(), ticket.request(sent.asked().sequence()), ticket.data());
        }
    }

    /**
     * The server has answered.
     *
     * @param data of the answer; empty if it is not what the server sent
     */
    void answered(ServerLink from, int slot, Answer answer, Optional<ByteBuffer> data) {
        lock.lock();
        try {
            if (!from.equals(link)) {
                return;
            }
            Asked<Ticket> asked = outstanding.underWay(slot, answer.sequence());
            if (isToBeAskedAgain(asked, data.isPresent() ? answer.status() : garbled.answer(asked))) {
                outstanding.postpone(slot, answer.sequence());
            } else {
                isOver(asked);
                Answer told = data.isPresent() ? answer : Answer.of(Status.IO_ERROR, answer.sequence());
                outstanding
                        .answered(slot, answer.sequence(), Outstanding.Outcome.of(told.status()))
                        .ifPresent(one -> end(one, told, data.orElseGet(Garbled::why)));
            }
            send();
            post();
        } catch (IllegalStateException impossible) {
            from.broken(String.valueOf(impossible.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Busy is a pause, as long as a lost server is, and so is a full disk for what is done again, as somebody was
     * answered that it is done; what was garbled on its way is sent once more.
     */
    private boolean isToBeAskedAgain(Asked<Ticket> asked, Status status) {
        return switch (status) {
            case BUSY -> asked.isAgain() || !patience.isOver(asked.what(), clock.getAsLong());
            case NO_SPACE -> asked.isAgain();
            case BAD_DATA -> garbled.isFirst(asked);
            default -> false;
        };
    }

    /** With the lock held. */
    private void end(Asked<Ticket> asked, Answer answer, ByteBuffer data) {
        Ticket ticket = asked.what();
        if (answer.status() != Status.DONE) {
            String why = StandardCharsets.UTF_8.decode(data).toString();
            VolumeException refusal = new VolumeException(answer.status(), why, answer.value() == Answer.ONE_BLOCK);
            IOException failure = answer.status() == Status.NO_SPACE ? new NoSpaceException(why) : refusal;
            boolean isFenced =
                    answer.status() == Status.FENCED && ticket.operation().needsAttachment();
            boolean isOfNow = attached.has(ticket);
            if (isOfNow && asked.isAgain()) {
                LOG.error("what was written could not be sent again and is lost: {}", failure.getMessage());
            }
            if (isOfNow && (isFenced || asked.isAgain())) {
                detached(ticket.volume(), refusal);
            }
            ticket.fail(failure);
            return;
        }
        if (ticket.operation() == Operation.ATTACH) {
            attached.put(answer.volume(), answer.epoch());
        }
        ticket.done(server, answer, data);
    }

    /** The volume is not this client's any more: what was asked of it fails. */
    void detached(int volume, VolumeException why) {
        lock.lock();
        try {
            Optional<CompletableFuture<VolumeException>> lost = attached.remove(volume);
            forget(volume, why);
            if (lost.isPresent()) {
                LOG.warn("volume {} is not attached any more: {}", volume, why.getMessage());
                lost.get().complete(why);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The volume is not used any more as of that epoch. */
    void forget(int volume, int epoch, IOException why) {
        lock.lock();
        try {
            if (Integer.valueOf(epoch).equals(attached.epochs().get(volume))) {
                forget(volume, why);
            }
        } finally {
            lock.unlock();
        }
    }

    /** With the lock held. */
    private void forget(int volume, IOException why) {
        var _ = attached.remove(volume);
        renewing.remove(volume);
        tell(outstanding.giveUp(volume), why);
    }

    /** Completes when that volume, which is attached, is not this client's any more, with why. */
    CompletableFuture<VolumeException> lost(int volume) {
        lock.lock();
        try {
            return attached.lost(volume);
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of a volume that were answered and not flushed. */
    long unflushedBytes(int volume) {
        lock.lock();
        try {
            return outstanding.keptBytes(volume);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks the server to let this client keep what it has attached, and again for what it could not do before; what
     * has waited for too long behind that fails. To be called more often than a lease lasts.
     */
    void renew() {
        lock.lock();
        try {
            if (link != null && over.isEmpty()) {
                if (outstanding.isHeldUp()) {
                    long nowNanos = clock.getAsLong();
                    tell(outstanding.expire(ticket -> patience.isOver(ticket, nowNanos)), patience.heldUp());
                }
                outstanding.again();
                attached.epochs().forEach((volume, epoch) -> {
                    if (renewing.add(volume)) {
                        Ticket ticket = parts.renewal(volume, epoch).asked(clock.getAsLong());
                        outstanding.ask(ticket.range(), ticket);
                    }
                });
                send();
                post();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nothing can be asked for any more, and what is not answered fails. */
    void close(String why) {
        lock.lock();
        try {
            over = why;
            Set<Integer> volumes = new HashSet<>(attached.epochs().keySet());
            volumes.add(0);
            volumes.forEach(volume -> forget(volume, new IOException(why)));
        } finally {
            lock.unlock();
        }
    }
}
