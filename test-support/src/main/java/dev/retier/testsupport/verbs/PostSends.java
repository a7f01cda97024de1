package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.LinkedList;
import java.util.List;

/** Posts a list of copies of work requests, again and again; what is changed in between counts. */
final class PostSends extends SVCPostSend {
    private final VerbsWorld world;
    private final MemoryQp pair;
    private final List<IbvSendWR> requests;

    PostSends(VerbsWorld world, MemoryQp pair, List<IbvSendWR> requests) {
        this.world = world;
        this.pair = pair;
        this.requests = requests.stream().map(PostSends::copy).toList();
    }

    @Override
    public SVCPostSend execute() throws IOException {
        Calls.run(world, "postSend", () -> {
            for (IbvSendWR request : requests) {
                refuseUnable(request);
                pair.send(copy(request));
            }
        });
        return this;
    }

    private void refuseUnable(IbvSendWR request) throws IOException {
        if (request.getOpcode() >= IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP && !world.hasAtomics()) {
            throw new IOException("memory has no atomics");
        }
    }

    @Override
    public SendWRMod getWrMod(int index) {
        return new Changes(requests.get(index));
    }

    @Override
    public boolean isValid() {
        return true;
    }

    @Override
    public SVCPostSend free() {
        return this;
    }

    @SuppressWarnings("JdkObsolete") // DiSNI asks for a LinkedList
    private static IbvSendWR copy(IbvSendWR from) {
        IbvSendWR to = new IbvSendWR();
        to.setWr_id(from.getWr_id());
        to.setOpcode(from.getOpcode());
        to.setSend_flags(from.getSend_flags());
        to.setImm_data(from.getImm_data());
        to.getRdma().setRemote_addr(from.getRdma().getRemote_addr());
        to.getRdma().setRkey(from.getRdma().getRkey());
        to.getAtomic().setRemote_addr(from.getAtomic().getRemote_addr());
        to.getAtomic().setRkey(from.getAtomic().getRkey());
        to.getAtomic().setCompare_add(from.getAtomic().getCompare_add());
        to.getAtomic().setSwap(from.getAtomic().getSwap());
        LinkedList<IbvSge> elements = new LinkedList<>();
        for (IbvSge element : from.getSg_list()) {
            IbvSge other = new IbvSge();
            other.setAddr(element.getAddr());
            other.setLength(element.getLength());
            other.setLkey(element.getLkey());
            elements.add(other);
        }
        to.setSg_list(elements);
        to.setNum_sge(from.getNum_sge());
        return to;
    }

    private record Changes(IbvSendWR request) implements SendWRMod, RdmaMod {
        @Override
        public void setWr_id(long id) {
            request.setWr_id(id);
        }

        @Override
        public void setSend_flags(int flags) {
            request.setSend_flags(flags);
        }

        @Override
        public long getWr_id() {
            return request.getWr_id();
        }

        @Override
        public int getNum_sge() {
            return request.getNum_sge();
        }

        @Override
        public int getOpcode() {
            return request.getOpcode();
        }

        @Override
        public int getSend_flags() {
            return request.getSend_flags();
        }

        @Override
        public RdmaMod getRdmaMod() {
            return this;
        }

        @Override
        public SgeMod getSgeMod(int index) {
            return new Element(request.getSge(index));
        }

        @Override
        public void setRemote_addr(long address) {
            request.getRdma().setRemote_addr(address);
        }

        @Override
        public long getRemote_addr() {
            return request.getRdma().getRemote_addr();
        }

        @Override
        public void setRkey(int key) {
            request.getRdma().setRkey(key);
        }

        @Override
        public int getRkey() {
            return request.getRdma().getRkey();
        }

        @Override
        public void setReserved(int nothing) {
            // DiSNI's own; means nothing.
        }

        @Override
        public int getReserved() {
            return 0;
        }
    }

    private record Element(IbvSge sge) implements SgeMod {
        @Override
        public void setAddr(long address) {
            sge.setAddr(address);
        }

        @Override
        public long getAddr() {
            return sge.getAddr();
        }

        @Override
        public void setLength(int length) {
            sge.setLength(length);
        }

        @Override
        public int getLength() {
            return sge.getLength();
        }

        @Override
        public void setLkey(int key) {
            sge.setLkey(key);
        }

        @Override
        public int getLkey() {
            return sge.getLkey();
        }
    }
}
