package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import dev.retier.iwarp.net.IwarpException;
import dev.retier.iwarp.net.Poster;
import dev.retier.iwarp.rdmap.ReceiveWork;
import dev.retier.iwarp.rdmap.StreamEngine;
import java.io.IOException;
import java.util.List;

/** Posts a list of receives, again and again. Allocates nothing when executed. */
final class PostRecvCall extends SVCPostRecv implements Poster {
    private final IwarpQp qp;
    private final Template[] templates;
    private boolean valid = true;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Template(long workId, SendTemplate.SgeTemplate[] elements) implements RecvWRMod {
        @Override
        public long getWr_id() {
            return workId;
        }
    }

    PostRecvCall(IwarpQp qp, List<IbvRecvWR> work) {
        this.qp = qp;
        this.templates = work.stream().map(PostRecvCall::template).toArray(Template[]::new);
    }

    private static Template template(IbvRecvWR source) {
        List<IbvSge> list = source.getNum_sge() > 0 ? source.getSg_list() : List.of();
        return new Template(
                source.getWr_id(),
                list.stream().map(SendTemplate.SgeTemplate::new).toArray(SendTemplate.SgeTemplate[]::new));
    }

    @Override
    public SVCPostRecv execute() throws IOException {
        qp.requireOpen().post(this);
        return this;
    }

    @Override
    public void post(StreamEngine engine) throws IwarpException {
        for (Template template : templates) {
            ReceiveWork work = engine.receives().claim();
            if (work == null) {
                throw new IwarpException("the receive queue is full with "
                        + engine.receives().size() + " receives; create the queue pair with more");
            }
            work.workId = template.workId;
            try {
                for (SendTemplate.SgeTemplate element : template.elements) {
                    work.scatter().add(element.getAddr(), element.getLength(), element.getLkey());
                }
            } catch (IllegalArgumentException e) {
                throw new IwarpException(String.valueOf(e.getMessage()), e);
            }
            engine.receives().commit();
        }
    }

    @Override
    public boolean isToSend() {
        return false;
    }

    @Override
    public RecvWRMod getWrMod(int index) throws IOException {
        return templates[index];
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostRecv free() {
        valid = false;
        return this;
    }
}
