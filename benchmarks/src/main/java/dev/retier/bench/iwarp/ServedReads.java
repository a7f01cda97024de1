package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads as a server of blocks answers them: requests of 64 B, 32 under way on one connection, each answered by 4 KiB
 * and a message of 32 B. Both ends poll, CRC is on. Whoever finds several at one look posts what they ask for together,
 * as the other way, TCP, gathers it into one write.
 */
final class ServedReads {
    /** Of what a request asks for. */
    static final int BLOCK = 4096;

    private static final int REQUEST = 64;
    private static final int REPLY = 32;
    private static final int UNDER_WAY = 32;

    private ServedReads() {}

    /** Each answer an RDMA write and a send. */
    static Work.Opening overIwarp() {
        return OverIwarp::new;
    }

    /** Each answer as many bytes. */
    static Work.Opening overTcp() {
        return OverTcp::new;
    }

    /** One end's posts, prepared for each number of messages that one look may find. */
    private record Posts(List<SVCPostRecv> receives, List<SVCPostSend> sends) {
        void execute(int count) throws IOException {
            receives.get(count - 1).execute();
            sends.get(count - 1).execute();
        }
    }

    private static final class OverIwarp implements Work {
        /** Blocks, then what goes out, then what comes in. */
        private static final int OUT = UNDER_WAY * BLOCK;

        private static final int IN = OUT + UNDER_WAY * REQUEST;
        private static final int MEMORY = IN + UNDER_WAY * REQUEST;

        private final IwarpPair pair = new IwarpPair(true, Waiting.POLL, MEMORY);
        private final Posts requests;
        private final Posts answers;
        private final Peer peer;

        OverIwarp() throws Exception {
            requests = posts(
                    pair.client,
                    REPLY,
                    each -> List.of(pair.client.work(
                            IbvSendWR.IBV_WR_SEND, OUT + each * REQUEST, REQUEST, pair.server.target(0), 0)));
            answers = posts(
                    pair.server,
                    REQUEST,
                    each -> List.of(
                            pair.server.work(
                                    IbvSendWR.IBV_WR_RDMA_WRITE,
                                    each * BLOCK,
                                    BLOCK,
                                    pair.client.target(each * BLOCK),
                                    0),
                            pair.server.work(
                                    IbvSendWR.IBV_WR_SEND, OUT + each * REPLY, REPLY, pair.client.target(0), 0)));
            requests.receives.getLast().execute();
            answers.receives.getLast().execute();
            peer = Peer.polling(this::answer);
        }

        private interface Each {
            List<IbvSendWR> of(int index);
        }

        private static Posts posts(Side side, int incoming, Each each) throws IOException {
            List<SVCPostRecv> receives = new ArrayList<>();
            List<SVCPostSend> sends = new ArrayList<>();
            List<IbvSendWR> work = new ArrayList<>();
            for (int count = 1; count <= UNDER_WAY; count++) {
                receives.add(side.prepareReceives(IN, incoming, count));
                work.addAll(each.of(count - 1));
                sends.add(side.endpoint.postSend(List.copyOf(work)));
            }
            return new Posts(receives, sends);
        }

        private void answer() throws IOException {
            int asked = pair.server.poll();
            if (asked > 0) {
                answers.execute(asked);
            }
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public void run(int count) throws IOException {
            int asked = Math.min(count, UNDER_WAY);
            requests.sends.get(asked - 1).execute();
            for (int answered = 0; answered < count; ) {
                int came = pair.client.poll();
                answered += came;
                int more = Math.min(came, count - asked);
                if (came > 0) {
                    requests.receives.get(came - 1).execute();
                }
                if (more > 0) {
                    requests.sends.get(more - 1).execute();
                    asked += more;
                }
            }
        }

        @Override
        public void close() throws IOException {
            peer.close();
            pair.close();
        }
    }

    private static final class OverTcp implements Work {
        private static final int ANSWER = BLOCK + REPLY;

        private final TcpPair pair = new TcpPair(Waiting.POLL);
        private final ByteBuffer requests = ByteBuffer.allocateDirect(UNDER_WAY * REQUEST);
        private final ByteBuffer incoming = ByteBuffer.allocateDirect(UNDER_WAY * REQUEST);
        private final ByteBuffer answers = ByteBuffer.allocateDirect(UNDER_WAY * ANSWER);
        private final ByteBuffer sink = ByteBuffer.allocateDirect(UNDER_WAY * ANSWER);
        private final Peer peer = Peer.polling(this::answer);
        /** Owned by the far side: bytes of requests that are not answered. */
        private int pending;

        OverTcp() throws IOException {}

        private void answer() throws IOException {
            incoming.clear();
            pair.await(pair.server, incoming);
            pending += incoming.position();
            int complete = pending / REQUEST;
            if (complete > 0) {
                pending %= REQUEST;
                TcpPair.write(pair.server, answers.limit(complete * ANSWER));
            }
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public void run(int count) throws IOException {
            int asked = 0;
            int answered = 0;
            int bytes = 0;
            while (answered < count) {
                int more = Math.min(UNDER_WAY - (asked - answered), count - asked);
                if (more > 0) {
                    TcpPair.write(pair.client, requests.limit(more * REQUEST));
                    asked += more;
                }
                sink.clear();
                pair.await(pair.client, sink);
                bytes += sink.position();
                answered += bytes / ANSWER;
                bytes %= ANSWER;
            }
        }

        @Override
        public void close() throws IOException {
            peer.stopping();
            pair.close();
            peer.close();
        }
    }
}
