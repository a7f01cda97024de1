package dev.retier.rnic;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Posts a list of receives in one call, again and again. Allocates nothing when executed. */
final class PostRecvCall extends SVCPostRecv {
    private static final long ID = Layouts.at(Layouts.RECV_WR, "wr_id");

    private final RnicQp qp;
    private final WorkMemory work;
    private final List<Long> ids;
    private boolean valid = true;

    PostRecvCall(RnicQp qp, List<IbvRecvWR> list) throws IOException {
        this.qp = qp;
        this.ids = list.stream().map(IbvRecvWR::getWr_id).toList();
        this.work = new WorkMemory(
                qp.device.blocks,
                Layouts.RECV_WR,
                list.stream().map(PostRecvCall::elements).toList());
        for (int index = 0; index < ids.size(); index++) {
            work.memory().set(ValueLayout.JAVA_LONG, work.at(index) + ID, ids.get(index));
        }
    }

    private static List<IbvSge> elements(IbvRecvWR request) {
        return request.getNum_sge() > 0 ? request.getSg_list() : List.of();
    }

    @Override
    public SVCPostRecv execute() throws IOException {
        work.post(qp, qp.device.postRecv, "receive");
        return this;
    }

    @Override
    public RecvWRMod getWrMod(int index) throws IOException {
        return () -> ids.get(index);
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostRecv free() {
        valid = false;
        work.free();
        return this;
    }
}
