package dev.retier.rnic;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Posts a list of send work requests in one call, again and again. Allocates nothing when executed. */
final class PostSendCall extends SVCPostSend {
    private static final long ID = Layouts.at(Layouts.SEND_WR, "wr_id");
    private static final long OPCODE = Layouts.at(Layouts.SEND_WR, "opcode");
    private static final long FLAGS = Layouts.at(Layouts.SEND_WR, "send_flags");
    private static final long IMMEDIATE = Layouts.at(Layouts.SEND_WR, "imm_data");
    private static final long REMOTE_ADDRESS = Layouts.at(Layouts.SEND_WR, "remote_addr");
    private static final long COMPARE_ADD = Layouts.at(Layouts.SEND_WR, "compare_add");
    private static final long SWAP = Layouts.at(Layouts.SEND_WR, "swap");
    private static final long ATOMIC_KEY = Layouts.at(Layouts.SEND_WR, "rkey");
    /** {@code wr.rdma.rkey} lies where {@code wr.atomic.compare_add} begins. */
    private static final long RDMA_KEY = COMPARE_ADD;

    private final RnicQp qp;
    private final WorkMemory work;
    private final Request[] requests;
    private boolean valid = true;

    PostSendCall(RnicQp qp, List<IbvSendWR> list) throws IOException {
        this.qp = qp;
        for (IbvSendWR request : list) {
            check(request);
        }
        this.work = new WorkMemory(
                qp.device.blocks,
                Layouts.SEND_WR,
                list.stream().map(PostSendCall::elements).toList());
        this.requests = new Request[list.size()];
        for (int index = 0; index < requests.length; index++) {
            requests[index] = new Request(index, list.get(index));
        }
    }

    private static List<IbvSge> elements(IbvSendWR request) {
        return request.getSg_list() == null ? List.of() : request.getSg_list();
    }

    private void check(IbvSendWR request) throws IOException {
        int opcode = request.getOpcode();
        if (opcode < IbvSendWR.IBV_WR_RDMA_WRITE || opcode > IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD) {
            throw new IOException("send opcode " + opcode + " is unknown");
        }
        if (isAtomic(opcode) && !qp.device.hasAtomics()) {
            throw new IOException(qp.device.whyNoAtomics().orElseThrow());
        }
    }

    private static boolean isAtomic(int opcode) {
        return opcode == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD;
    }

    @Override
    public SVCPostSend execute() throws IOException {
        work.post(qp, qp.device.postSend, "send");
        return this;
    }

    @Override
    public SendWRMod getWrMod(int index) throws IOException {
        return requests[index];
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostSend free() {
        valid = false;
        work.free();
        return this;
    }

    /** One request, which its owner may change between executions. */
    private final class Request implements SendWRMod, RdmaMod {
        private final int index;
        private final MemorySegment memory;
        private final long at;
        private final int elements;
        private final long keyAt;
        private int reserved;

        Request(int index, IbvSendWR source) {
            this.index = index;
            this.memory = work.memory();
            this.at = work.at(index);
            this.elements = elements(source).size();
            boolean isAtomic = isAtomic(source.getOpcode());
            this.keyAt = at + (isAtomic ? ATOMIC_KEY : RDMA_KEY);
            setWr_id(source.getWr_id());
            setSend_flags(source.getSend_flags());
            memory.set(ValueLayout.JAVA_INT, at + OPCODE, source.getOpcode());
            memory.set(ValueLayout.JAVA_INT, at + IMMEDIATE, source.getImm_data());
            if (isAtomic) {
                IbvSendWR.Atomic atomic = source.getAtomic();
                setRemote_addr(atomic.getRemote_addr());
                memory.set(ValueLayout.JAVA_LONG, at + COMPARE_ADD, atomic.getCompare_add());
                memory.set(ValueLayout.JAVA_LONG, at + SWAP, atomic.getSwap());
                setRkey(atomic.getRkey());
            } else {
                setRemote_addr(source.getRdma().getRemote_addr());
                setRkey(source.getRdma().getRkey());
            }
        }

        @Override
        public void setWr_id(long id) {
            memory.set(ValueLayout.JAVA_LONG, at + ID, id);
        }

        @Override
        public long getWr_id() {
            return memory.get(ValueLayout.JAVA_LONG, at + ID);
        }

        @Override
        public void setSend_flags(int flags) {
            memory.set(ValueLayout.JAVA_INT, at + FLAGS, flags);
        }

        @Override
        public int getSend_flags() {
            return memory.get(ValueLayout.JAVA_INT, at + FLAGS);
        }

        @Override
        public int getNum_sge() {
            return elements;
        }

        @Override
        public int getOpcode() {
            return memory.get(ValueLayout.JAVA_INT, at + OPCODE);
        }

        /** The remote address and key: of atomics, too. */
        @Override
        public RdmaMod getRdmaMod() {
            return this;
        }

        @Override
        public SgeMod getSgeMod(int element) {
            return work.element(index, element);
        }

        @Override
        public void setRemote_addr(long address) {
            memory.set(ValueLayout.JAVA_LONG, at + REMOTE_ADDRESS, address);
        }

        @Override
        public long getRemote_addr() {
            return memory.get(ValueLayout.JAVA_LONG, at + REMOTE_ADDRESS);
        }

        @Override
        public void setRkey(int key) {
            memory.set(ValueLayout.JAVA_INT, keyAt, key);
        }

        @Override
        public int getRkey() {
            return memory.get(ValueLayout.JAVA_INT, keyAt);
        }

        @Override
        public void setReserved(int value) {
            reserved = value;
        }

        @Override
        public int getReserved() {
            return reserved;
        }
    }
}
