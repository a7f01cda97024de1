package dev.retier.rnic;

import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;

/** Asks for an event with the next completion. Allocates nothing when executed. */
final class ReqNotifyCall extends SVCReqNotify {
    private final RnicCq cq;
    private final boolean solicitedOnly;
    private boolean valid = true;

    ReqNotifyCall(RnicCq cq, boolean solicitedOnly) {
        this.cq = cq;
        this.solicitedOnly = solicitedOnly;
    }

    @Override
    public SVCReqNotify execute() throws IOException {
        int errno;
        long stamp = cq.usable.enter();
        try {
            errno = Calls.fast(cq.device.reqNotifyCq, cq.address, solicitedOnly ? 1 : 0);
        } finally {
            cq.usable.leave(stamp);
        }
        if (errno != 0) {
            throw cq.device.library.failed("ibv_req_notify_cq", errno);
        }
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCReqNotify free() {
        valid = false;
        return this;
    }
}
