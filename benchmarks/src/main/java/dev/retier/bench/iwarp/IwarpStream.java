package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One way only, sixteen operations under way, until the last one is known to have arrived: after writes a read says so,
 * which overtakes nothing; after messages the receiver's count. Messages are sent only as far as receives are posted:
 * the receiver writes its count into the sender's memory.
 */
final class IwarpStream implements Work {
    private static final int WINDOW = 16;
    private static final int RECEIVES = 256;
    /** Messages after which the receiver says how far it has come. */
    private static final int TELL_AFTER = 32;

    private final IwarpPair pair;
    private final Layout layout;
    private final boolean messages;
    private final SVCPostSend operation;
    private final SVCPostSend proof;
    private final @Nullable Peer peer;
    private final SVCPostSend tell;
    private final SVCPostRecv receive;
    private long sent;
    // Owned by the far side.
    private long received;
    private long told;

    private IwarpStream(int opcode, int bytes, boolean crc, Waiting waiting) throws Exception {
        layout = new Layout(bytes);
        pair = new IwarpPair(crc, waiting, layout.memoryBytes());
        messages = opcode == IbvSendWR.IBV_WR_SEND || opcode == IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM;
        Side client = pair.client;
        Side server = pair.server;
        boolean read = opcode == IbvSendWR.IBV_WR_RDMA_READ;
        Side.Target far = server.target(read ? layout.source() : layout.sink());
        operation = client.prepare(opcode, read ? layout.sink() : layout.source(), bytes, far, Side.SIGNALED);
        Side.Target anything = server.target(layout.control());
        proof = client.prepare(IbvSendWR.IBV_WR_RDMA_READ, layout.progress(), Long.BYTES, anything, Side.SIGNALED);
        tell = server.prepare(
                IbvSendWR.IBV_WR_RDMA_WRITE, layout.progress(), Long.BYTES, client.target(layout.control()), 0);
        receive = server.prepareReceive(layout.sink(), opcode == IbvSendWR.IBV_WR_SEND ? bytes : 0);
        if (messages) {
            for (int i = 0; i < RECEIVES; i++) {
                receive.execute();
            }
        }
        boolean served = messages || waiting == Waiting.POLL;
        peer = served ? Peer.polling(messages ? this::take : server::poll) : null;
    }

    /** A stream of one kind of operation; SEND and RDMA_WRITE_WITH_IMM with polling only. */
    static Work.Opening of(int opcode, int bytes, boolean crc, Waiting waiting) {
        return () -> new IwarpStream(opcode, bytes, crc, waiting);
    }

    private void take() throws IOException {
        int count = pair.server.some();
        for (int i = 0; i < count; i++) {
            receive.execute();
        }
        received += count;
        if (received - told >= TELL_AFTER || (count == 0 && received > told)) {
            pair.server.memory.putLong(layout.progress(), received);
            tell.execute();
            told = received;
        }
    }

    @Override
    public @Nullable Peer peer() {
        return peer;
    }

    @Override
    public void run(int count) throws IOException {
        Side client = pair.client;
        int underWay = 0;
        for (int i = 0; i < count; i++) {
            if (messages) {
                awaitRoom(sent + 1 - RECEIVES / 2);
            }
            operation.execute();
            sent++;
            underWay++;
            if (underWay > WINDOW) {
                client.await(1);
                underWay--;
            }
        }
        client.await(underWay);
        if (messages) {
            awaitRoom(sent);
        } else {
            proof.execute();
            client.await(1);
        }
    }

    /** Polls until the receiver has so many. */
    private void awaitRoom(long count) throws IOException {
        while (pair.client.memory.getLong(layout.control()) < count) {
            pair.client.look();
        }
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
