package dev.retier.volume.slots;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import dev.retier.link.Completions;
import dev.retier.link.Keepalive;
import dev.retier.link.LinkHost;
import dev.retier.link.NodeId;
import dev.retier.link.Posts;
import dev.retier.link.QueuePair;
import dev.retier.link.auth.Right;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One end of a connection between a volume server and a client: for each request that may be under way a slot of each
 * end's memory, into which the other end writes by one RDMA write with immediate data, the number of the slot. So a
 * message needs no memory but its slot's, and who has a slot has the right to use it. Memory lives as long as the
 * object is reachable.
 *
 * <p>Thread-safe; a slot belongs to whoever is to write or read it by the order of request and answer.
 */
public final class SlotLink implements Slots {
    /** To use the volumes of a server. */
    public static final Right VOLUMES = new Right(4, "retier volumes");

    /** What every volume server is called on its connections. */
    public static final NodeId SERVER = new NodeId(1);

    /** What every client is called; their lives tell them apart. */
    public static final NodeId CLIENT = new NodeId(2);

    private static final int ALIGNMENT = 64;

    private final LinkHost.Ready ready;
    private final Shape shape;
    private final MemorySegment incoming;
    private final MemorySegment outgoing;
    private final IbvMr incomingRegistration;
    private final IbvMr outgoingRegistration;
    private final long writeId;
    private final Keepalive keepalive;
    private final Posts posts;
    /** Guarded by this: what is to be posted. */
    private List<IbvSendWR> offered = new ArrayList<>();
    /** Guarded by this: where the peer's slots are. */
    private long peerAddress;

    private int peerKey;
    /** Guarded by this: how many writes whose end is told have not left. */
    private int writing;

    /**
     * The end of one write in so many is told, as each wakes a thread: a slot that is used again says that its last
     * write has ended. So many fewer than a queue pair has room for that it is never full.
     */
    private final int signalEvery;

    /** Guarded by this: how many writes there were since one whose end is told. */
    private int unsignalled;

    /** Guarded by this: since when the oldest of those that are {@link #writing} may be. */
    private long writingSinceNanos;

    /** Guarded by this: memory of the caller's, by its address. */
    private final Map<Long, IbvMr> registered = new HashMap<>();

    private volatile boolean isOver;

    /**
     * What there is of slots.
     *
     * @param count of each end
     * @param bytes of each
     */
    public record Shape(int count, int bytes) {
        /** What a queue pair needs for so many. */
        public QueuePair.Sizes sizes() {
            return sizes(0);
        }

        /** What it needs if messages have up to so many pieces from elsewhere. */
        public QueuePair.Sizes sizes(int pieces) {
            // A write is done with when its answer comes, but its completion may be told a moment later.
            return new QueuePair.Sizes(2 * count + 1, count + 1, 1 + pieces);
        }
    }

    /** What both ends are called in a client's log. */
    public static String called(NodeId who) {
        return who.equals(SERVER) ? "the volume server" : "this client";
    }

    /** Of a connection that is ready; the peer's slots are not known yet. */
    public SlotLink(LinkHost.Ready ready, Shape shape, Duration stallBound) throws IOException {
        this.ready = ready;
        this.shape = shape;
        this.signalEvery = Math.max(1, shape.count / 4);
        long bytes = (long) shape.count * shape.bytes;
        this.incoming = Arena.ofAuto().allocate(bytes, ALIGNMENT);
        this.outgoing = Arena.ofAuto().allocate(bytes, ALIGNMENT);
        this.incomingRegistration = ready.pair()
                .register(
                        incoming,
                        IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ);
        this.outgoingRegistration = ready.pair().register(outgoing, 0);
        this.keepalive = new Keepalive(ready, stallBound);
        this.posts = new Posts(ready, this::next);
        this.writeId = ready.completions().nextId();
        ready.completions().expectEach(writeId, (success, _) -> written(success));
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public long address() {
        return incoming.address();
    }

    @Override
    public int key() {
        return incomingRegistration.getRkey();
    }

    @Override
    public void aim(long address, int key) {
        synchronized (this) {
            peerAddress = address;
            peerKey = key;
        }
        keepalive.aim(address, key);
    }

    @Override
    public ByteBuffer incoming(int slot) {
        return incoming.asSlice((long) slot * shape.bytes, shape.bytes).asByteBuffer();
    }

    @Override
    public ByteBuffer outgoing(int slot) {
        return outgoing.asSlice((long) slot * shape.bytes, shape.bytes).asByteBuffer();
    }

    @Override
    public void send(int slot, int bytes) {
        send(slot, bytes, List.of());
    }

    @Override
    public void post() {
        posts.flush();
    }

    /**
     * A piece of the caller's memory.
     *
     * @param whole is registered when the first piece of it is sent, and until the connection is over
     */
    public record Piece(MemorySegment whole, MemorySegment piece) {}

    @Override
    public void send(int slot, int bytes, List<Piece> more) {
        if (isOver) {
            return;
        }
        long at = (long) slot * shape.bytes;
        List<IbvSge> pieces = new ArrayList<>(1 + more.size());
        pieces.add(QueuePair.element(outgoing.asSlice(at, bytes), outgoingRegistration));
        for (Piece piece : more) {
            try {
                pieces.add(QueuePair.element(piece.piece, registered(piece.whole)));
            } catch (IOException noRoom) {
                ready.onBroken().accept("memory could not be registered: " + noRoom.getMessage());
                return;
            }
        }
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, pieces);
        request.setWr_id(writeId);
        request.setImm_data(slot);
        synchronized (this) {
            request.getRdma().setRemote_addr(peerAddress + at);
            request.getRdma().setRkey(peerKey);
            offered.add(request);
        }
    }

    private synchronized IbvMr registered(MemorySegment memory) throws IOException {
        IbvMr known = registered.get(memory.address());
        if (known == null) {
            known = ready.pair().register(memory, 0); // nothing but this end may use it
            registered.put(memory.address(), known);
        }
        return known;
    }

    private synchronized List<IbvSendWR> next() {
        List<IbvSendWR> taken = offered;
        if (taken.isEmpty() || isOver) {
            return List.of();
        }
        offered = new ArrayList<>();
        for (IbvSendWR request : taken) {
            unsignalled = (unsignalled + 1) % signalEvery;
            if (unsignalled == 0) {
                writingSinceNanos = writing == 0 ? System.nanoTime() : writingSinceNanos;
                writing++;
            } else {
                request.setSend_flags(request.getSend_flags() & ~IbvSendWR.IBV_SEND_SIGNALED);
            }
        }
        return taken;
    }

    private void written(boolean success) {
        if (!success) {
            ready.onBroken().accept("a message could not be written");
            return;
        }
        synchronized (this) {
            writing--;
            writingSinceNanos = System.nanoTime();
        }
        posts.flush();
    }

    @Override
    public boolean isBehind() {
        return ready.completions().isBehind();
    }

    @Override
    public Completions completions() {
        return ready.completions();
    }

    @Override
    public void heard() {
        keepalive.heard();
    }

    @Override
    public long oldestNanos(long nowNanos) {
        long asked = keepalive.oldestNanos(nowNanos);
        synchronized (this) {
            return writing > 0 && writingSinceNanos - asked < 0 ? writingSinceNanos : asked;
        }
    }

    @Override
    public void broken(String reason) {
        ready.onBroken().accept(reason);
    }

    @Override
    public void close() {
        isOver = true;
        ready.completions().forget(writeId);
        keepalive.close();
    }
}
