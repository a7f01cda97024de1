package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvWC;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A completion queue. Guarded by the world's lock. */
final class MemoryCq extends IbvCQ {
    private final @Nullable MemoryCompChannel events;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private boolean armed;

    /** One completion on its way. */
    record Entry(MemoryCq queue, long workId, Ending how) {}

    /** How work ended. */
    record Ending(
            int status,
            int vendorError,
            int bytes,
            @Nullable Integer immediate) {}

    MemoryCq(VerbsWorld world, MemoryContext context, @Nullable MemoryCompChannel events, int capacity)
            throws IOException {
        super(context, events, world.nextNumber());
        this.events = events;
        this.cqe = capacity;
    }

    void arm() {
        armed = true;
    }

    void add(Entry entry) {
        if (!isOpen()) {
            return;
        }
        if (entries.size() >= cqe) {
            throw new AssertionError("a completion queue of " + cqe + " entries overflows");
        }
        entries.add(entry);
        if (armed && events != null) {
            armed = false;
            events.raise();
        }
    }

    int take(IbvWC[] into, int most) {
        int taken = 0;
        while (taken < most && !entries.isEmpty()) {
            Entry entry = entries.remove();
            IbvWC target = into[taken++];
            target.setWr_id(entry.workId());
            target.setStatus(entry.how().status());
            target.setVendor_err(entry.how().vendorError());
            target.setByte_len(entry.how().bytes());
            Integer immediate = entry.how().immediate();
            target.setImm_data(immediate == null ? 0 : immediate);
            target.setWc_flags(immediate == null ? 0 : 1 << 1);
        }
        return taken;
    }
}
