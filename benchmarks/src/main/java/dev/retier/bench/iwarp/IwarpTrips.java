package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Round trips: of writes, of messages, and one-sided operations until they complete; with CRC if nothing is said. */
final class IwarpTrips {
    private IwarpTrips() {}

    /** A write there and a write back; each side polls and watches the end of its memory. Four bytes at least. */
    static Work.Opening writes(int bytes) {
        return () -> new Writes(new Layout(bytes));
    }

    /** A message there and one back: SEND or RDMA_WRITE_WITH_IMM. */
    static Work.Opening messages(int opcode, int bytes, Waiting waiting) {
        return () -> new Messages(new Layout(bytes), opcode, waiting);
    }

    /** A read or an atomic, to its completion; when polling, the other side polls, too. */
    static Work.Opening oneSided(int opcode, int bytes, Waiting waiting) {
        return () -> new OneSided(new Layout(bytes), opcode, waiting, true);
    }

    /** A read without CRC, polled. */
    static Work.Opening plainRead(int bytes) {
        return () -> new OneSided(new Layout(bytes), IbvSendWR.IBV_WR_RDMA_READ, Waiting.POLL, false);
    }

    /** What all have: a connection, and perhaps a thread that serves the far side. */
    private abstract static class Trips implements Work {
        final IwarpPair pair;
        final Layout layout;
        private final Waiting waiting;
        private @Nullable Peer peer;

        Trips(Layout layout, Waiting waiting, boolean crc) throws Exception {
            this.layout = layout;
            this.waiting = waiting;
            this.pair = new IwarpPair(crc, waiting, layout.memoryBytes());
        }

        void serve(Peer.Step step) {
            peer = waiting == Waiting.POLL ? Peer.polling(step) : Peer.sleeping(step);
        }

        @Override
        public @Nullable Peer peer() {
            return peer;
        }

        @Override
        public void close() throws IOException {
            Peer serving = peer;
            if (serving != null) {
                serving.close();
            }
            pair.close();
        }
    }

    private static final class Writes extends Trips {
        private final SVCPostSend ping;
        private final SVCPostSend pong;
        private final int sourceEnd;
        private final int sinkEnd;

        Writes(Layout layout) throws Exception {
            super(layout, Waiting.POLL, true);
            sourceEnd = layout.source() + layout.bytes() - Integer.BYTES;
            sinkEnd = layout.sink() + layout.bytes() - Integer.BYTES;
            ping = prepare(pair.client, pair.server);
            pong = prepare(pair.server, pair.client);
            serve(this::answer);
        }

        private SVCPostSend prepare(Side from, Side to) throws IOException {
            int opcode = IbvSendWR.IBV_WR_RDMA_WRITE;
            return from.prepare(opcode, layout.source(), layout.bytes(), to.target(layout.sink()), 0);
        }

        private void answer() throws IOException {
            Side server = pair.server;
            int value = server.memory.getInt(sinkEnd);
            if (value != server.memory.getInt(sourceEnd)) {
                server.memory.putInt(sourceEnd, value);
                pong.execute();
            }
            server.poll();
        }

        @Override
        public void run(int count) throws IOException {
            Side client = pair.client;
            for (int i = 0; i < count; i++) {
                int value = client.memory.getInt(sinkEnd) + 1;
                client.memory.putInt(sourceEnd, value);
                ping.execute();
                while (client.memory.getInt(sinkEnd) != value) {
                    client.poll();
                }
            }
        }
    }

    private static final class Messages extends Trips {
        private final SVCPostSend ping;
        private final SVCPostRecv clientReceive;

        Messages(Layout layout, int opcode, Waiting waiting) throws Exception {
            super(layout, waiting, true);
            // Immediate data consumes a receive, but its bytes go where the write says.
            int bytes = opcode == IbvSendWR.IBV_WR_SEND ? layout.bytes() : 0;
            ping = prepare(pair.client, pair.server, opcode);
            clientReceive = pair.client.prepareReceive(layout.sink(), bytes);
            SVCPostSend pong = prepare(pair.server, pair.client, opcode);
            SVCPostRecv serverReceive = pair.server.prepareReceive(layout.sink(), bytes);
            clientReceive.execute();
            serverReceive.execute();
            serve(() -> answer(serverReceive, pong));
        }

        private SVCPostSend prepare(Side from, Side to, int opcode) throws IOException {
            return from.prepare(opcode, layout.source(), layout.bytes(), to.target(layout.sink()), 0);
        }

        private void answer(SVCPostRecv receive, SVCPostSend pong) throws IOException {
            for (int i = pair.server.some(); i > 0; i--) {
                receive.execute();
                pong.execute();
            }
        }

        @Override
        public void run(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                ping.execute();
                pair.client.await(1);
                clientReceive.execute();
            }
        }
    }

    private static final class OneSided extends Trips {
        private final SVCPostSend call;

        OneSided(Layout layout, int opcode, Waiting waiting, boolean crc) throws Exception {
            super(layout, waiting, crc);
            Side.Target target = pair.server.target(layout.source());
            call = pair.client.prepare(opcode, layout.sink(), layout.bytes(), target, Side.SIGNALED);
            if (waiting == Waiting.POLL) {
                serve(pair.server::poll);
            }
        }

        @Override
        public void run(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                call.execute();
                pair.client.await(1);
            }
        }
    }
}
