package dev.retier.volume.connect;

import dev.retier.link.Completions;
import dev.retier.link.Connection;
import dev.retier.volume.pool.Checksums;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.slots.Slots;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.ClientName;
import dev.retier.volume.wire.Grant;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the server: greets it, by its first slot alone, then serves the session. Thread-safe.
 */
final class ServerLink implements Connection {
    private static final int GREETING_SLOT = 0;
    /** Of data that is sent as it lies; what has more is copied. Every RDMA device takes so many, and a head. */
    static final int MOST_PIECES = 3;

    private final Slots link;
    private final Grant grant;
    private final Session session;
    private final Arenas arenas;
    private final Ticks ticks;
    /** What is awaited of the greeting; done once the session uses the connection. */
    private volatile CompletableFuture<Answered> greeting = new CompletableFuture<>();

    private volatile boolean isGreeted;
    private volatile boolean isOver;

    /** An answer, and the data that came with it. */
    record Answered(Answer answer, ByteBuffer data) {
        /** It as an error, if it is one. */
        Optional<VolumeException> failure() {
            return answer.status() == Status.DONE
                    ? Optional.empty()
                    : Optional.of(new VolumeException(
                            answer.status(),
                            StandardCharsets.UTF_8.decode(data.duplicate()).toString()));
        }
    }

    ServerLink(Slots link, Grant grant, Session session, Arenas arenas, Ticks ticks) {
        this.ticks = ticks;
        this.arenas = arenas;
        this.link = link;
        this.grant = grant;
        this.session = session;
    }

    boolean isOver() {
        return isOver;
    }

    Grant grant() {
        return grant;
    }

    /** Says who this is and where answers go, and takes up what was attached; then the session has the connection. */
    void greet(ClientName name) {
        Thread.ofVirtual().name("volume-greeting").start(() -> {
            try {
                Request open = Request.about(Operation.OPEN, link.address(), link.key(), 0);
                Optional<VolumeException> refusal =
                        exchange(open, name.encode()).failure();
                if (refusal.isPresent()) {
                    throw refusal.get();
                }
                resume();
                isGreeted = true;
                session.connected(this);
            } catch (IOException | RuntimeException failed) {
                broken(String.valueOf(failed.getMessage()));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Takes up what was attached before. */
    private void resume() throws IOException, InterruptedException {
        for (Map.Entry<Integer, Integer> one : session.attached().entrySet()) {
            Request request = Request.about(Operation.RESUME, 0, one.getKey(), one.getValue());
            Answered answered = exchange(request, Ticket.NOTHING);
            while (answered.answer().status() == Status.BUSY) {
                pause(answered);
                answered = exchange(request, Ticket.NOTHING);
            }
            answered.failure().ifPresent(failure -> session.detached(one.getKey(), failure));
        }
    }

    /** Asks the server by the first slot, before the session has it. */
    Answered exchange(Request request, ByteBuffer data) throws IOException, InterruptedException {
        return await(_ -> {
            send(GREETING_SLOT, request, Pieces.of(List.of(data)));
            link.post();
        });
    }

    /** Until what a session asks again would be asked for: a server may say that it is busy at once. */
    private void pause(Answered busy) throws IOException, InterruptedException {
        var _ = await(awaited -> ticks.next(() -> awaited.complete(busy)));
    }

    /** What comes of something that is begun, unless the connection ends before. */
    private Answered await(Consumer<CompletableFuture<Answered>> begin) throws IOException, InterruptedException {
        CompletableFuture<Answered> awaited = new CompletableFuture<>();
        greeting = awaited;
        if (isOver) {
            throw new IOException("the connection is over");
        }
        begin.accept(awaited);
        try {
            return awaited.get();
        } catch (ExecutionException over) {
            throw new IOException("the connection is over", over);
        }
    }

    /** Bytes of data that a request or an answer can have. */
    int dataBytes() {
        return link.shape().bytes() - Request.BYTES;
    }

    /** Where what the server sends is told of. */
    @Nullable
    Completions completions() {
        return link.completions();
    }

    /** What was sent leaves, together. */
    void post() {
        link.post();
    }

    /** Sends a request by a slot that is free, once {@link #post} is called. With the session's lock held. */
    void send(int slot, Request request, Pieces data) {
        ByteBuffer out = link.outgoing(slot);
        List<SlotLink.Piece> pieces = pieces(data);
        if (pieces.isEmpty()) {
            data.copyTo(out.position(Request.BYTES));
            request.encode(out.clear(), slot, data.bytes());
            link.send(slot, Request.BYTES + data.bytes());
        } else {
            request.encode(out, slot, data.bytes(), Checksums.of(data.all()));
            link.send(slot, Request.BYTES, pieces);
        }
    }

    /** The data as it lies, if all of it is registered and it has few pieces; else nothing. */
    private List<SlotLink.Piece> pieces(Pieces data) {
        if (data.all().size() > MOST_PIECES) {
            return List.of();
        }
        List<SlotLink.Piece> found = new ArrayList<>(data.all().size());
        for (ByteBuffer piece : data.all()) {
            arenas.find(piece).ifPresent(found::add);
        }
        return found.size() == data.all().size() ? found : List.of();
    }

    void broken(String reason) {
        link.broken(reason);
    }

    @Override
    public void immediate(int slot) {
        link.heard();
        if (slot < 0 || slot >= link.shape().count()) {
            broken("it answers in slot " + slot + ", which there is not");
            return;
        }
        ByteBuffer in = link.incoming(slot);
        Optional<Answer> answer = Answer.parse(in, slot);
        if (answer.isEmpty()) {
            broken("what it wrote to slot " + slot + " is no answer");
        } else if (isGreeted) {
            session.answered(this, slot, answer.get(), Answer.data(in));
        } else {
            ByteBuffer data = Answer.data(in).orElse(Ticket.NOTHING);
            greeting.complete(new Answered(answer.get(), data));
        }
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return link.oldestNanos(nowNanos);
    }

    @Override
    public void abort(String reason) {
        isOver = true;
        link.close();
        greeting.completeExceptionally(new IOException(reason));
        // Not here: who ends a connection has its lock, which a thread with the session's may be waiting for.
        Thread.startVirtualThread(() -> session.lost(this));
    }
}
