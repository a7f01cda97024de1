package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import java.nio.ByteBuffer;

/** Round trips of small operations, polled on both sides. */
final class Latency {
    private static final int MEMORY_BYTES = 1 << 16;
    private static final int FLAG_AT = 4096;

    private Latency() {}

    /** A request of some bytes over TCP, and an answer. One operation is the whole round trip. */
    static Sample tcp(int requestBytes, int answerBytes, int count) throws Exception {
        try (TcpPair pair = new TcpPair()) {
            ByteBuffer request = ByteBuffer.allocateDirect(requestBytes);
            ByteBuffer answer = ByteBuffer.allocateDirect(answerBytes);
            ByteBuffer incoming = ByteBuffer.allocateDirect(requestBytes);
            ByteBuffer outgoing = ByteBuffer.allocateDirect(answerBytes);
            try (Peer _ = new Peer(() -> serve(pair, incoming, outgoing))) {
                Sample.Operations trips = n -> {
                    for (int i = 0; i < n; i++) {
                        TcpPair.write(pair.client, request);
                        TcpPair.read(pair.client, answer);
                    }
                };
                trips.run(count / 4);
                return Sample.of(count, trips);
            }
        }
    }

    private static void serve(TcpPair pair, ByteBuffer incoming, ByteBuffer outgoing) throws Exception {
        TcpPair.await(pair.server, incoming);
        if (!incoming.hasRemaining()) {
            incoming.clear();
            TcpPair.write(pair.server, outgoing);
        }
    }

    /** A write of 4 bytes there, and one back; each side watches its memory. One operation is the round trip. */
    static Sample writes(int count) throws Exception {
        try (IwarpPair pair = new IwarpPair(true, MEMORY_BYTES)) {
            Side client = pair.client;
            Side server = pair.server;
            SVCPostSend ping = client.prepare(IbvSendWR.IBV_WR_RDMA_WRITE, 4, server.target(FLAG_AT), false);
            SVCPostSend pong = server.prepare(IbvSendWR.IBV_WR_RDMA_WRITE, 4, client.target(FLAG_AT), false);
            try (Peer _ = new Peer(() -> answer(server, pong))) {
                Sample.Operations trips = n -> {
                    for (int i = 0; i < n; i++) {
                        int value = client.memory.getInt(FLAG_AT) + 1;
                        client.memory.putInt(0, value);
                        ping.execute();
                        while (client.memory.getInt(FLAG_AT) != value) {
                            client.poll();
                        }
                    }
                };
                trips.run(count / 4);
                return Sample.of(count, trips);
            }
        }
    }

    private static void answer(Side server, SVCPostSend pong) throws Exception {
        int value = server.memory.getInt(FLAG_AT);
        if (value != server.memory.getInt(0)) {
            server.memory.putInt(0, value);
            pong.execute();
        }
        server.poll();
    }

    /** A read or an atomic, to its completion; the other side polls. */
    static Sample oneSided(int opcode, int bytes, int count) throws Exception {
        try (IwarpPair pair = new IwarpPair(true, MEMORY_BYTES)) {
            SVCPostSend call = pair.client.prepare(opcode, bytes, pair.server.target(0), true);
            try (Peer _ = new Peer(pair.server::poll)) {
                Sample.Operations trips = n -> {
                    for (int i = 0; i < n; i++) {
                        call.execute();
                        pair.client.await(1);
                    }
                };
                trips.run(count / 4);
                return Sample.of(count, trips);
            }
        }
    }
}
