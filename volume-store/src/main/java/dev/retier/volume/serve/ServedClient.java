package dev.retier.volume.serve;

import dev.retier.link.Connection;
import dev.retier.volume.slots.Slots;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.ClientName;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * A client's connection: takes its requests, and answers each once. A request is read from its slot into memory that
 * the client cannot reach, and only then judged. Thread-safe.
 */
final class ServedClient implements Connection {
    /** Of a request without data. */
    private static final long LEAST_COST = 4096;
    /** So many bytes are looked at, and not moved, while one is moved. */
    private static final int LOOKS_PER_MOVE = 16;

    private final long life;
    private final long number;
    private final Slots link;
    private final Service service;
    private final DiskThreads.Line line;
    private final Consumer<ServedClient> whenOver;
    /** Of each slot whether a request of it is not answered yet. */
    private final AtomicIntegerArray busy;
    /** How many of them. */
    private final AtomicInteger underWay = new AtomicInteger();

    /** What it has attached over this connection, by volume. */
    private final Map<Integer, Opened> opened = new ConcurrentHashMap<>();

    private final Map<Integer, Turns> turns = new ConcurrentHashMap<>();

    private final Runnable post;
    /** Of whoever tells of what comes, one thread at a time. */
    private final ByteBuffer memory;

    private volatile ClientName name = new ClientName("a client that has not said who it is");

    private volatile boolean isOpen;
    private volatile boolean isOver;
    private final long sinceNanos = System.nanoTime();

    ServedClient(long life, Slots link, Service service, Consumer<ServedClient> whenOver) {
        this.life = life;
        this.number = service.number();
        this.link = link;
        this.service = service;
        this.line = service.line();
        this.whenOver = whenOver;
        this.post = link::post;
        this.memory = ByteBuffer.allocateDirect(link.shape().bytes());
        this.busy = new AtomicIntegerArray(link.shape().count());
    }

    /** What tells it from all others, over all its connections. */
    long life() {
        return life;
    }

    /** What it is called, for people. */
    String name() {
        return name.value();
    }

    /** Whether something that it has asked for is not answered. */
    boolean isAwaited() {
        for (int slot = 0; slot < busy.length() && !isOver; slot++) {
            if (busy.get(slot) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Of its client's connections the one with the highest number is the newest. */
    long number() {
        return number;
    }

    /** Where what it asks of volumes waits, by volume. */
    Map<Integer, Turns> turns() {
        return turns;
    }

    /** What it has attached, by volume. */
    Map<Integer, Opened> opened() {
        return opened;
    }

    @Override
    public void immediate(int slot) {
        link.heard();
        if (slot < 0 || slot >= busy.length() || !busy.compareAndSet(slot, 0, 1)) {
            link.broken("it writes to slot " + slot + ", which is not its turn");
            return;
        }
        if (underWay.incrementAndGet() == busy.length()) {
            service.tally().count(VolumeMetric.CREDITS_USED_UP);
        }
        guarded(() -> take(slot));
    }

    /** What needs no other thread is done at once; the rest waits in the line of its volume. */
    private void take(int slot) {
        ByteBuffer head = memory.put(0, link.incoming(slot), 0, Request.BYTES);
        Optional<Request> request = Request.parse(head, slot);
        if (request.isPresent() && isOpen && isDoneNow(slot, request.get(), head)) {
            return;
        }
        Opened used = request.map(Request::volume).map(opened::get).orElse(null);
        DiskThreads.Line waits = used == null ? line : used.line();
        DiskThreads.Task task = scratch -> guarded(() -> {
            if (!isOver) {
                handle(slot, scratch, request);
            }
        });
        long cost = request.map(ServedClient::cost).orElse(LEAST_COST);
        if (request.map(Request::operation)
                .filter(ServedClient::writesToTheJournal)
                .isPresent()) {
            waits.addChange(cost, task);
        } else {
            waits.add(cost, task);
        }
    }

    private static boolean writesToTheJournal(Operation operation) {
        return operation.isChange() || operation == Operation.DETACH;
    }

    /** In bytes, for its turns. */
    private static long cost(Request request) {
        return Math.max(
                LEAST_COST,
                switch (request.operation()) {
                    case READ, WRITE -> request.length();
                    case EXTENTS, HINT -> Service.lookedAt(request) / LOOKS_PER_MOVE;
                    default -> 0;
                });
    }

    private void guarded(Runnable handling) {
        try {
            handling.run();
        } catch (RuntimeException | Error fault) {
            link.broken("a request could not be handled: " + fault); // it is asked for again
            throw fault;
        }
    }

    boolean isOver() {
        return isOver;
    }

    /** Reads it from its slot. */
    private ByteBuffer received(int slot, ByteBuffer into) {
        ByteBuffer theirs = link.incoming(slot);
        ByteBuffer own = into.put(0, theirs, 0, Request.BYTES);
        return own.put(Request.BYTES, theirs, Request.BYTES, Request.dataBytes(own));
    }

    /** Of many reads that came together others do some meanwhile. */
    private boolean isDoneNow(int slot, Request request, ByteBuffer head) {
        boolean isLeft = request.operation() == Operation.READ && link.isBehind();
        return !isLeft
                && Request.dataBytes(head) == 0
                && Request.data(head).isPresent()
                && service.takeNow(this, slot, request);
    }

    /**
     * On a disk thread.
     *
     * @param seen what it was when its turn was chosen
     */
    private void handle(int slot, ByteBuffer scratch, Optional<Request> seen) {
        ByteBuffer own = received(slot, scratch);
        Optional<Request> parsed = Request.parse(own, slot);
        Optional<Request.Unknown> unknown = isOpen ? Request.unknown(own, slot) : Optional.empty();
        if (unknown.isPresent() && seen.isEmpty()) { // a client of a later version: it is told, and goes on
            service.tally().count(VolumeMetric.REFUSED);
            refuse(
                    slot,
                    Answer.of(Status.INVALID, unknown.get().sequence()),
                    unknown.get().why());
            return;
        }
        if (parsed.isEmpty() || !parsed.equals(seen)) {
            link.broken("what it wrote to slot " + slot + " is no request, or has changed since");
            return;
        }
        Request request = parsed.get();
        Optional<ByteBuffer> data = Request.data(own);
        if (request.operation() == Operation.OPEN) {
            open(slot, request, data.map(ClientName::of).orElse(name));
        } else if (!isOpen) {
            link.broken("it asks before it has said where its answers go");
        } else if (data.isPresent()) {
            service.take(this, slot, request, data.get());
        } else {
            service.tally().count(VolumeMetric.CHECKSUM_ERRORS_ON_THE_WAY);
            refuse(slot, Answer.of(Status.BAD_DATA, request.sequence()), "the data is not what its checksum says");
        }
    }

    private void open(int slot, Request request, ClientName called) {
        name = called.value().isEmpty() ? name : called;
        link.aim(request.offset(), request.volume());
        isOpen = true;
        service.opened(this);
        if (isOver) {
            lost();
        }
        answer(slot, Answer.of(Status.DONE, request.sequence()), 0);
    }

    /** Where the data of an answer goes. */
    ByteBuffer room(int slot) {
        return link.outgoing(slot).position(Answer.BYTES);
    }

    /** Answers with the first {@code dataBytes} bytes of the {@link #room}. */
    void answer(int slot, Answer answer, int dataBytes) {
        answer.encode(link.outgoing(slot), slot, dataBytes);
        underWay.decrementAndGet(); // before the slot is free: no more of them than slots
        busy.set(slot, 0);
        link.send(slot, Answer.BYTES + dataBytes);
        DiskThreads.afterwards(post);
    }

    /** Answers that it was not done, and why. */
    void refuse(int slot, Answer answer, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        ByteBuffer room = room(slot);
        int length = Math.min(text.length, room.remaining());
        room.put(text, 0, length);
        answer(slot, answer, length);
    }

    @Override
    public long oldestNanos(long nowNanos) {
        long oldest = link.oldestNanos(nowNanos);
        return isOpen || oldest - sinceNanos < 0 ? oldest : sinceNanos;
    }

    @Override
    public void abort(String reason) {
        isOver = true;
        link.close();
        lost();
        whenOver.accept(this);
    }

    /** What it has opened is not used by this connection any more. */
    void lost() {
        opened.values().forEach(one -> one.volume().leave());
        service.lost(this, new HashSet<>(opened.values()));
    }
}
