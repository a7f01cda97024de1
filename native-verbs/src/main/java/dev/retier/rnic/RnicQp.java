package dev.retier.rnic;

import com.ibm.disni.verbs.IbvQP;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A queue pair. Safe for any thread. */
final class RnicQp extends IbvQP {
    /** {@code struct ibv_qp_attr} begins with the state; both structures fit in so much, in every version. */
    private static final int ATTRIBUTES_BYTES = 512;

    private static final int IBV_QP_STATE = 1;

    final Usable usable;
    final RnicContext device;
    final long address;
    private final RnicCmId id;

    private RnicQp(RnicCmId id, RnicPd domain, RnicCq sends, RnicCq receives, MemorySegment memory) throws IOException {
        super(memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.QP, "qp_num")));
        this.id = id;
        this.device = domain.device;
        this.usable = new Usable("queue pair", device);
        this.address = memory.address();
        this.context = domain.device;
        this.pd = domain;
        this.send_cq = sends;
        this.recv_cq = receives;
        this.handle = memory.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.QP, "handle"));
        this.qp_type = IBV_QPT_RC;
    }

    /** The one that librdmacm has made for {@code id} at {@code address}. */
    static RnicQp of(RnicCmId id, RnicPd domain, RnicCq sends, RnicCq receives, long address) throws IOException {
        RnicQp made = new RnicQp(id, domain, sends, receives, Calls.at(address, Layouts.size(Layouts.QP)));
        made.device.pairs().add(made);
        return made;
    }

    /** Its state as the device tells it; error when it cannot be asked any more. */
    @Override
    public int getState() {
        try (Arena arena = Arena.ofConfined()) {
            long stamp = usable.enter();
            try {
                MemorySegment memory = arena.allocate(2L * ATTRIBUTES_BYTES, Long.BYTES);
                int errno = (int) Calls.call(
                        device.library.queryQp,
                        address,
                        memory.address(),
                        IBV_QP_STATE,
                        memory.address() + ATTRIBUTES_BYTES);
                return errno == 0 ? memory.get(ValueLayout.JAVA_INT, 0) : IBV_QPS_ERR;
            } finally {
                usable.leave(stamp);
            }
        } catch (IOException destroyed) {
            return IBV_QPS_ERR;
        }
    }

    /** The device says that it works no more: whoever owns the connection hears of its end. */
    void failed() throws IOException {
        id.failed();
    }

    /** Whether the completion queue at {@code cq} is one of its own. */
    boolean usesQueue(long cq) {
        return ((RnicCq) getSend_cq()).address == cq || ((RnicCq) getRecv_cq()).address == cq;
    }

    /** Waits until nobody uses it; the caller destroys it. */
    boolean end() {
        close();
        device.pairs().remove(this);
        return usable.end();
    }
}
