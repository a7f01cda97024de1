package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.bench.Progress;
import java.util.ArrayList;
import java.util.List;

/** Every operation at every size (experiment E11): latency, polled and notified, and bandwidth. */
final class Matrix {
    private static final int[] SIZES = {4, 64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 20};
    private static final int[] FEWER_SIZES = {4, 1 << 10, 1 << 16, 1 << 20};
    /** A Read Request on the wire: FPDU with 46 bytes of ULPDU. */
    static final int READ_REQUEST_BYTES = 52;

    private final Turns turns;

    Matrix(Turns turns) {
        this.turns = turns;
    }

    /** Half round trips of writes and messages; reads until they complete. Both sides poll. */
    List<Comparison> polledLatency() throws Exception {
        List<Comparison> all = new ArrayList<>();
        for (int size : SIZES) {
            progress("latency, polled", size);
            Work.Opening trip = TcpWork.requests(size, size, Waiting.POLL);
            Turns.Group group = new Turns.Group().add("write", size, trip, IwarpTrips.writes(size));
            all.addAll(turns.run(addWaiting(group, size, trip, Waiting.POLL)));
        }
        return all;
    }

    /** The same without writes, which notify nobody, while both sides sleep until something comes. */
    List<Comparison> notifiedLatency(Waiting waiting) throws Exception {
        List<Comparison> all = new ArrayList<>();
        for (int size : FEWER_SIZES) {
            progress("latency, " + (waiting == Waiting.SLEEP ? "notified" : "adaptive"), size);
            Work.Opening trip = TcpWork.requests(size, size, waiting);
            all.addAll(turns.run(addWaiting(new Turns.Group(), size, trip, waiting)));
        }
        return all;
    }

    private static Turns.Group addWaiting(Turns.Group group, int size, Work.Opening trip, Waiting waiting) {
        return group.add("send", size, trip, IwarpTrips.messages(IbvSendWR.IBV_WR_SEND, size, waiting))
                .add(
                        "write with immediate",
                        size,
                        trip,
                        IwarpTrips.messages(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, size, waiting))
                .add(
                        "read",
                        size,
                        TcpWork.requests(READ_REQUEST_BYTES, size, waiting),
                        IwarpTrips.oneSided(IbvSendWR.IBV_WR_RDMA_READ, size, waiting));
    }

    /** Sixteen operations under way, CRC on, both sides poll. */
    List<Comparison> bandwidth() throws Exception {
        List<Comparison> all = new ArrayList<>();
        for (int size : SIZES) {
            progress("bandwidth", size);
            Work.Opening stream = TcpWork.stream(size, Waiting.POLL);
            Turns.Group group = new Turns.Group();
            group.add("write", size, stream, stream(IbvSendWR.IBV_WR_RDMA_WRITE, size));
            group.add("send", size, stream, stream(IbvSendWR.IBV_WR_SEND, size));
            group.add("write with immediate", size, stream, stream(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, size));
            group.add("read", size, stream, stream(IbvSendWR.IBV_WR_RDMA_READ, size));
            all.addAll(turns.run(group));
        }
        return all;
    }

    private static Work.Opening stream(int opcode, int size) {
        return IwarpStream.of(opcode, size, true, Waiting.POLL);
    }

    private static void progress(String what, int size) {
        Progress.tell("measuring: " + what + ", " + Sizes.text(size));
    }
}
