package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import dev.retier.iwarp.net.CompletionQueue;
import dev.retier.iwarp.rdmap.Completion;
import java.io.IOException;

/** Takes completions out of a queue, into the caller's array. Allocates nothing when executed. */
final class PollCqCall extends SVCPollCq implements CompletionQueue.Reader {
    /** {@code IBV_WC_WITH_IMM}. */
    private static final int WITH_IMMEDIATE = 1 << 1;
    /** {@code IBV_WC_WITH_INV}: as in the C structure, the invalidated key then stands where the immediate does. */
    private static final int WITH_INVALIDATED = 1 << 3;

    private final IwarpCq cq;
    private final IbvWC[] completions;
    private final int max;
    private int polled;
    private boolean valid = true;

    PollCqCall(IwarpCq cq, IbvWC[] completions, int max) {
        this.cq = cq;
        this.completions = completions;
        this.max = Math.min(max, completions.length);
    }

    @Override
    public SVCPollCq execute() throws IOException {
        polled = cq.requireOpen().poll(max, this);
        return this;
    }

    @Override
    public void take(int index, CompletionQueue.Entry entry) {
        IbvWC target = completions[index];
        Completion source = entry.completion();
        target.setWr_id(source.workId);
        target.setStatus(source.status.code());
        target.setOpcode(source.kind.code());
        target.setVendor_err(source.errorWord);
        target.setByte_len(source.byteLength);
        boolean invalidated = source.invalidatedStag != 0;
        target.setImm_data(invalidated ? source.invalidatedStag : source.immediate);
        target.setWc_flags((source.hasImmediate ? WITH_IMMEDIATE : 0) | (invalidated ? WITH_INVALIDATED : 0));
        target.setQp_num(entry.pairNumber());
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
