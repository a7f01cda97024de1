package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Streams of writes one way, until the other side has them all. */
final class Throughput {
    private static final int WINDOW = 16;
    private static final int MEMORY_BYTES = 1 << 20;

    private Throughput() {}

    /** One operation is {@code bytes} bytes into TCP; the other side reads them and says so at the end. */
    static Sample tcp(int bytes, int count) throws Exception {
        try (TcpPair pair = new TcpPair()) {
            ByteBuffer source = ByteBuffer.allocateDirect(bytes);
            ByteBuffer sink = ByteBuffer.allocateDirect(bytes);
            ByteBuffer ack = ByteBuffer.allocateDirect(1);
            try (Peer _ = new Peer(() -> drain(pair, sink))) {
                Sample.Operations stream = n -> {
                    for (int i = 0; i < n; i++) {
                        source.put(0, (byte) (i == n - 1 ? 1 : 0));
                        TcpPair.write(pair.client, source);
                    }
                    TcpPair.read(pair.client, ack);
                };
                stream.run(count / 4);
                return Sample.of(count, stream);
            }
        }
    }

    private static void drain(TcpPair pair, ByteBuffer sink) throws Exception {
        TcpPair.await(pair.server, sink);
        if (!sink.hasRemaining()) {
            sink.clear();
            if (sink.get(0) == 1) {
                TcpPair.write(pair.server, ByteBuffer.allocateDirect(1));
            }
        }
    }

    /** One operation is a write of {@code bytes} bytes; a read at the end sees them all delivered. */
    static Sample writes(int bytes, boolean crc, int count) throws Exception {
        try (IwarpPair pair = new IwarpPair(crc, MEMORY_BYTES)) {
            Side client = pair.client;
            SVCPostSend write = client.prepare(IbvSendWR.IBV_WR_RDMA_WRITE, bytes, pair.server.target(0), true);
            SVCPostSend read = client.prepare(IbvSendWR.IBV_WR_RDMA_READ, 8, pair.server.target(0), true);
            try (Peer _ = new Peer(pair.server::poll)) {
                Sample.Operations stream = n -> {
                    for (int i = 0; i < n; i++) {
                        write.execute();
                        if (i >= WINDOW) {
                            client.await(1);
                        }
                    }
                    client.await(Math.min(n, WINDOW));
                    read.execute();
                    client.await(1);
                };
                stream.run(count / 4);
                return Sample.of(count, stream);
            }
        }
    }

    /** Writes of {@code bytes} bytes into {@code regions} regions of {@code regionBytes} bytes in turn. */
    static Sample manyRegions(int bytes, int regions, int regionBytes, int count) throws Exception {
        try (IwarpPair pair = new IwarpPair(true, MEMORY_BYTES)) {
            List<IbvMr> registered = new ArrayList<>();
            ByteBuffer memory = ByteBuffer.allocateDirect(regionBytes);
            for (int i = 0; i < regions; i++) {
                registered.add(pair.server
                        .endpoint
                        .getPd()
                        .regMr(memory, Side.ALL_RIGHTS)
                        .execute()
                        .free()
                        .getMr());
            }
            SVCPostSend write = pair.client.prepare(IbvSendWR.IBV_WR_RDMA_WRITE, bytes, pair.server.target(0), true);
            try (Peer _ = new Peer(pair.server::poll)) {
                Sample.Operations stream = n -> {
                    for (int i = 0; i < n; i++) {
                        IbvMr region = registered.get((int) (i * 7919L % regions));
                        long at = i * 4099L * bytes % (regionBytes - bytes + 1);
                        write.getWrMod(0).getRdmaMod().setRkey(region.getRkey());
                        write.getWrMod(0).getRdmaMod().setRemote_addr(region.getAddr() + at);
                        write.execute();
                        pair.client.await(1);
                    }
                };
                stream.run(count / 4);
                return Sample.of(count, stream);
            }
        }
    }
}
