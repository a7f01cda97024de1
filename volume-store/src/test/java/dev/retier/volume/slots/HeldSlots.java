package dev.retier.volume.slots;

import dev.retier.link.Completions;
import dev.retier.link.Connection;
import dev.retier.volume.wire.Request;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One end of a connection whose other end is a test: what comes is put into its memory by hand. */
public final class HeldSlots implements Slots {
    private final SlotLink.Shape shape;
    private final byte[] incoming;
    private final byte[] outgoing;
    private final Queue<int[]> offered = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Connection> user = new AtomicReference<>();
    /** What it has sent, as it left. */
    public final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    /** Why it is over; empty while it is not. */
    public volatile String reason = "";

    /** What was sent by a slot. */
    public record Message(int slot, ByteBuffer bytes) {}

    /** Of zeros. */
    public HeldSlots(SlotLink.Shape shape) {
        this.shape = shape;
        this.incoming = new byte[shape.count() * shape.bytes()];
        this.outgoing = new byte[shape.count() * shape.bytes()];
    }

    /** Whose end it is. */
    public void use(Connection by) {
        user.set(by);
    }

    /** Writes to its memory, and tells nobody. */
    public void put(int slot, Consumer<ByteBuffer> writing) {
        writing.accept(incoming(slot));
    }

    /** Tells whose end it is that something is there. */
    public void announce(int slot) {
        Connection to = user.get();
        if (to != null) {
            to.immediate(slot);
        }
    }

    /** A request as it should be. */
    public void ask(int slot, Request request, ByteBuffer data) {
        put(slot, into -> {
            into.put(Request.BYTES, data, data.position(), data.remaining());
            request.encode(into, slot, data.remaining());
        });
        announce(slot);
    }

    /** It ends. */
    public void end(String why) {
        Connection gone = user.getAndSet(null);
        if (gone != null) {
            reason = why;
            gone.abort(why);
        }
    }

    /** Whether it has ended. */
    public boolean isOver() {
        return user.get() == null;
    }

    @Override
    public SlotLink.Shape shape() {
        return shape;
    }

    @Override
    public long address() {
        return 0;
    }

    @Override
    public int key() {
        return 0;
    }

    @Override
    public void aim(long address, int key) {}

    @Override
    public ByteBuffer incoming(int slot) {
        return ByteBuffer.wrap(incoming, slot * shape.bytes(), shape.bytes()).slice();
    }

    @Override
    public ByteBuffer outgoing(int slot) {
        return ByteBuffer.wrap(outgoing, slot * shape.bytes(), shape.bytes()).slice();
    }

    @Override
    public void send(int slot, int bytes) {
        offered.add(new int[] {slot, bytes});
    }

    @Override
    public void send(int slot, int bytes, List<SlotLink.Piece> more) {
        throw new IllegalStateException("a server sends from its own memory");
    }

    @Override
    public boolean isBehind() {
        return false;
    }

    @Override
    public void post() {
        for (int[] next = offered.poll(); next != null; next = offered.poll()) {
            byte[] bytes = new byte[shape.bytes()];
            outgoing(next[0]).get(0, bytes, 0, next[1]);
            messages.add(new Message(next[0], ByteBuffer.wrap(bytes)));
        }
    }

    @Override
    public @Nullable Completions completions() {
        return null;
    }

    @Override
    public void heard() {}

    @Override
    public long oldestNanos(long nowNanos) {
        return nowNanos;
    }

    @Override
    public void broken(String why) {
        Thread.startVirtualThread(() -> end(why)); // as a link does: not while its user is at something
    }

    @Override
    public void close() {}
}
