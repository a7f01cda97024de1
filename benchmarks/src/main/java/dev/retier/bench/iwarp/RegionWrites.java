package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes into many regions in turn, at places all over them, sixteen under way, until a last read has passed them. */
final class RegionWrites implements Work {
    private static final int WINDOW = 16;
    /** Primes, so that neither regions nor places repeat soon. */
    private static final long REGION_STRIDE = 7919;

    private static final long PLACE_STRIDE = 4099;

    private final IwarpPair pair;
    private final int regionBytes;
    /** What a program needs to know of a region, packed: its own cache misses are not what is measured. */
    private final int[] keys;

    private final long[] addresses;
    private final int[] operationBytes;
    private final SVCPostSend[] writes;
    private final SVCPostSend proof;
    private final Peer peer;
    private int chosen;

    /**
     * Registers the regions, all over the same memory.
     *
     * @param operationBytes sizes of writes to choose from
     */
    RegionWrites(int count, int regionBytes, int... operationBytes) throws Exception {
        this.regionBytes = regionBytes;
        this.operationBytes = operationBytes.clone();
        Layout layout = new Layout(operationBytes[operationBytes.length - 1]);
        pair = new IwarpPair(true, Waiting.POLL, layout.memoryBytes());
        ByteBuffer memory = ByteBuffer.allocateDirect(regionBytes);
        keys = new int[count];
        addresses = new long[count];
        for (int i = 0; i < count; i++) {
            IbvMr region = pair.server
                    .endpoint
                    .getPd()
                    .regMr(memory, Side.ALL_RIGHTS)
                    .execute()
                    .free()
                    .getMr();
            keys[i] = region.getRkey();
            addresses[i] = region.getAddr();
        }
        Side.Target target = pair.server.target(layout.sink());
        writes = new SVCPostSend[operationBytes.length];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = pair.client.prepare(
                    IbvSendWR.IBV_WR_RDMA_WRITE, layout.source(), operationBytes[i], target, Side.SIGNALED);
        }
        proof = pair.client.prepare(IbvSendWR.IBV_WR_RDMA_READ, layout.progress(), Long.BYTES, target, Side.SIGNALED);
        peer = Peer.polling(pair.server::poll);
    }

    /** Uses the {@code index}th of the sizes from now on. */
    RegionWrites choose(int index) {
        chosen = index;
        return this;
    }

    @Override
    public Peer peer() {
        return peer;
    }

    @Override
    public void run(int count) throws IOException {
        Side client = pair.client;
        SVCPostSend write = writes[chosen];
        long room = regionBytes - operationBytes[chosen] + 1L;
        for (int i = 0; i < count; i++) {
            int region = (int) (i * REGION_STRIDE % keys.length);
            write.getWrMod(0).getRdmaMod().setRkey(keys[region]);
            write.getWrMod(0)
                    .getRdmaMod()
                    .setRemote_addr(addresses[region] + i * PLACE_STRIDE * operationBytes[chosen] % room);
            write.execute();
            if (i >= WINDOW) {
                client.await(1);
            }
        }
        client.await(Math.min(count, WINDOW));
        proof.execute();
        client.await(1);
    }

    @Override
    public void close() throws IOException {
        peer.close();
        pair.close();
    }
}
