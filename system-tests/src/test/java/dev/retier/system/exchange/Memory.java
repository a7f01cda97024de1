package dev.retier.system.exchange;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvSge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Registered memory. */
record Memory(ByteBuffer bytes, IbvMr region) {
    /** The rights that every exchange needs but that of words. */
    static final int PLAIN =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ;
    /** Those, and atomics. */
    static final int WITH_ATOMICS = PLAIN | IbvMr.IBV_ACCESS_REMOTE_ATOMIC;

    static Memory register(IbvPd domain, int bytes, int rights) throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        return new Memory(memory, domain.regMr(memory, rights).execute().free().getMr());
    }

    /** Where it is, for the peer. */
    Place place() {
        return new Place(region.getAddr(), region.getRkey(), bytes.capacity());
    }

    /** An element of a request; of no bytes, too: Linux siw looks at the first element of a read, come what may. */
    IbvSge element(int offset, int length) {
        IbvSge element = new IbvSge();
        element.setAddr(region.getAddr() + offset);
        element.setLength(length);
        element.setLkey(region.getLkey());
        return element;
    }

    void end() throws IOException {
        region.deregMr().execute().free();
    }
}
