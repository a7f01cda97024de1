package dev.retier.bench.iwarp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A request of four bytes and an answer over TCP, by the system's own calls, which iWARP uses: both ends poll. */
final class CallsPingPong implements Work {
    private static final int BYTES = 4;

    private final Arena arena = Arena.ofShared();
    private final SystemCalls.Pair pair;
    private final MemorySegment request = arena.allocate(BYTES);
    private final MemorySegment answer = arena.allocate(BYTES);
    private final MemorySegment incoming = arena.allocate(BYTES);
    private final Peer peer;
    /** Owned by the far side. */
    private int empty;

    CallsPingPong() throws IOException {
        pair = SystemCalls.connected();
        peer = Peer.polling(this::serve);
    }

    private void serve() throws IOException {
        long came = SystemCalls.receive(pair.server(), incoming);
        if (came == BYTES) {
            empty = 0;
            SystemCalls.send(pair.server(), incoming);
        } else {
            TcpPair.yieldAfterMany(empty++);
        }
    }

    @Override
    public Peer peer() {
        return peer;
    }

    @Override
    public void run(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SystemCalls.send(pair.client(), request);
            int none = 0;
            while (SystemCalls.receive(pair.client(), answer) != BYTES) {
                TcpPair.yieldAfterMany(none++);
            }
        }
    }

    @Override
    public void close() {
        peer.stopping();
        peer.close();
        pair.close();
        arena.close();
    }
}
