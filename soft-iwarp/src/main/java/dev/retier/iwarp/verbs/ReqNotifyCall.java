package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;

/** Asks for an event with the next completion. */
final class ReqNotifyCall extends SVCReqNotify {
    private final IwarpCq cq;
    private final boolean solicitedOnly;
    private boolean valid = true;

    ReqNotifyCall(IwarpCq cq, boolean solicitedOnly) {
        this.cq = cq;
        this.solicitedOnly = solicitedOnly;
    }

    @Override
    public SVCReqNotify execute() throws IOException {
        cq.requireOpen().requestNotification(solicitedOnly);
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
