package dev.retier.rnic;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Takes completions out of a queue, into the caller's array. Allocates nothing when executed. */
final class PollCqCall extends SVCPollCq {
    private static final long BYTES = Layouts.size(Layouts.WC);
    private static final long ID = Layouts.at(Layouts.WC, "wr_id");
    private static final long STATUS = Layouts.at(Layouts.WC, "status");
    private static final long OPCODE = Layouts.at(Layouts.WC, "opcode");
    private static final long VENDOR_ERROR = Layouts.at(Layouts.WC, "vendor_err");
    private static final long LENGTH = Layouts.at(Layouts.WC, "byte_len");
    private static final long IMMEDIATE = Layouts.at(Layouts.WC, "imm_data");
    private static final long QP_NUMBER = Layouts.at(Layouts.WC, "qp_num");
    private static final long SOURCE_QP = Layouts.at(Layouts.WC, "src_qp");
    private static final long FLAGS = Layouts.at(Layouts.WC, "wc_flags");

    private final RnicCq cq;
    private final IbvWC[] completions;
    private final int max;
    private final MemorySegment memory;
    private int polled;
    private boolean valid = true;

    PollCqCall(RnicCq cq, IbvWC[] completions, int max) {
        this.cq = cq;
        this.completions = completions;
        this.max = Math.clamp(max, 0, completions.length);
        for (int index = 0; index < this.max; index++) {
            Objects.requireNonNull(completions[index], "a completion to be filled in");
        }
        this.memory = Arena.ofAuto().allocate(BYTES * Math.max(1, this.max), Long.BYTES);
    }

    @Override
    public SVCPollCq execute() throws IOException {
        long stamp = cq.usable.enter();
        int found;
        try {
            found = Calls.fast(cq.device.pollCq, cq.address, max, memory.address());
        } finally {
            cq.usable.leave(stamp);
        }
        polled = Math.max(0, found);
        if (found < 0) {
            throw new IOException("ibv_poll_cq failed: " + found);
        }
        for (int index = 0; index < found; index++) {
            take(completions[index], index * BYTES);
        }
        return this;
    }

    private void take(IbvWC target, long at) {
        target.setWr_id(memory.get(ValueLayout.JAVA_LONG, at + ID));
        target.setStatus(memory.get(ValueLayout.JAVA_INT, at + STATUS));
        target.setOpcode(memory.get(ValueLayout.JAVA_INT, at + OPCODE));
        target.setVendor_err(memory.get(ValueLayout.JAVA_INT, at + VENDOR_ERROR));
        target.setByte_len(memory.get(ValueLayout.JAVA_INT, at + LENGTH));
        target.setImm_data(memory.get(ValueLayout.JAVA_INT, at + IMMEDIATE));
        target.setQp_num(memory.get(ValueLayout.JAVA_INT, at + QP_NUMBER));
        target.setSrc_qp(memory.get(ValueLayout.JAVA_INT, at + SOURCE_QP));
        target.setWc_flags(memory.get(ValueLayout.JAVA_INT, at + FLAGS));
    }

    @Override
    public int getPolls() {
        return polled;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPollCq free() {
        valid = false;
        return this;
    }
}
