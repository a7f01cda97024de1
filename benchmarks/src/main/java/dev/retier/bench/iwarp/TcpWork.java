package dev.retier.bench.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What iWARP does, done over plain TCP. */
final class TcpWork {
    /** What a reader of a stream takes at once: as much as iWARP's buffer holds. */
    private static final int SINK_BYTES = 256 * 1024;

    private TcpWork() {}

    /** A request of some bytes and an answer. One operation is the whole round trip. */
    static Work.Opening requests(int requestBytes, int answerBytes, Waiting waiting) {
        return () -> new Requests(new TcpPair(waiting), requestBytes, answerBytes);
    }

    private static final class Requests implements Work {
        private final TcpPair pair;
        private final ByteBuffer request;
        private final ByteBuffer answer;
        private final Peer peer;

        Requests(TcpPair pair, int requestBytes, int answerBytes) {
            this.pair = pair;
            this.request = ByteBuffer.allocateDirect(requestBytes);
            this.answer = ByteBuffer.allocateDirect(answerBytes);
            ByteBuffer incoming = ByteBuffer.allocateDirect(requestBytes);
            ByteBuffer outgoing = ByteBuffer.allocateDirect(answerBytes);
            this.peer = pair.peer(() -> serve(incoming, outgoing));
        }

        private void serve(ByteBuffer incoming, ByteBuffer outgoing) throws IOException {
            pair.await(pair.server, incoming);
            if (!incoming.hasRemaining()) {
                incoming.clear();
                TcpPair.write(pair.server, outgoing);
            }
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public void run(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                TcpPair.write(pair.client, request);
                pair.read(pair.client, answer);
            }
        }

        @Override
        public void close() throws IOException {
            peer.stopping();
            pair.close();
            peer.close();
        }
    }

    /** One way only: an operation is so many bytes; the reader says when it has them all. */
    static Work.Opening stream(int bytes, Waiting waiting) {
        return () -> new Stream(new TcpPair(waiting), bytes);
    }

    private static final class Stream implements Work {
        private final TcpPair pair;
        private final ByteBuffer source;
        private final ByteBuffer acknowledgement = ByteBuffer.allocateDirect(1);
        private final Peer peer;
        private volatile long wanted = Long.MAX_VALUE;
        private long sent;
        /** Owned by the far side. */
        private long read;

        Stream(TcpPair pair, int bytes) {
            this.pair = pair;
            this.source = ByteBuffer.allocateDirect(bytes);
            ByteBuffer sink = ByteBuffer.allocateDirect(Math.max(SINK_BYTES, bytes));
            ByteBuffer outgoing = ByteBuffer.allocateDirect(1);
            this.peer = pair.peer(() -> drain(sink, outgoing));
        }

        private void drain(ByteBuffer sink, ByteBuffer outgoing) throws IOException {
            sink.clear();
            pair.await(pair.server, sink);
            read += sink.position();
            if (read == wanted) {
                wanted = Long.MAX_VALUE;
                TcpPair.write(pair.server, outgoing);
            }
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public void run(int count) throws IOException {
            sent += (long) count * source.capacity();
            wanted = sent;
            for (int i = 0; i < count; i++) {
                TcpPair.write(pair.client, source);
            }
            pair.read(pair.client, acknowledgement);
        }

        @Override
        public void close() throws IOException {
            peer.stopping();
            pair.close();
            peer.close();
        }
    }
}
