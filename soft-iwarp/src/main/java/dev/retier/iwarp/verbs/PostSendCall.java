package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import dev.retier.iwarp.net.IwarpException;
import dev.retier.iwarp.net.Poster;
import dev.retier.iwarp.rdmap.QpState;
import dev.retier.iwarp.rdmap.SendWork;
import dev.retier.iwarp.rdmap.StreamEngine;
import java.io.IOException;
import java.util.List;

/** Posts a list of send work requests, again and again. Allocates nothing when executed. */
final class PostSendCall extends SVCPostSend implements Poster {
    private final IwarpQp qp;
    private final SendTemplate[] templates;
    private boolean valid = true;

    PostSendCall(IwarpQp qp, List<IbvSendWR> work) throws IOException {
        this.qp = qp;
        this.templates = new SendTemplate[work.size()];
        int at = 0;
        for (IbvSendWR request : work) {
            templates[at++] = new SendTemplate(request);
        }
    }

    @Override
    public SVCPostSend execute() throws IOException {
        qp.requireOpen().post(this);
        return this;
    }

    @Override
    public void post(StreamEngine engine) throws IwarpException {
        if (engine.state() == QpState.IDLE) {
            throw new IwarpException("the queue pair is not connected");
        }
        for (SendTemplate template : templates) {
            if (template.awaitsResponse() && !engine.mayRead()) {
                throw new IwarpException("the peer agreed to no reads or atomics (IRD 0); let it take some");
            }
            SendWork work = engine.sends().claim();
            if (work == null) {
                throw new IwarpException(
                        "the send queue is full with " + engine.sends().size()
                                + " work requests; poll for completions, or create the queue pair with more");
            }
            try {
                template.fill(work, qp);
            } catch (IllegalArgumentException e) {
                throw new IwarpException(String.valueOf(e.getMessage()), e);
            }
            engine.sends().commit();
        }
    }

    @Override
    public SendWRMod getWrMod(int index) throws IOException {
        return templates[index];
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostSend free() {
        valid = false;
        return this;
    }
}
