package dev.retier.rnic;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The devices that librdmacm has opened, by address. Safe for any thread. */
final class RnicContexts {
    private static final Logger LOG = LoggerFactory.getLogger(RnicContexts.class);

    private final Library library;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Map<Long, RnicContext> known = new HashMap<>();

    RnicContexts(Library library) {
        this.library = library;
    }

    /** A device that was taken away: librdmacm has closed it, and may open another one at the same address. */
    private void forget(RnicContext gone) {
        gone.gone();
        lock.lock();
        try {
            known.remove(gone.address, gone);
        } finally {
            lock.unlock();
        }
    }

    /** The one at {@code address}; its events are listened to from the first time on. */
    RnicContext at(long address) throws IOException {
        lock.lock();
        try {
            RnicContext found = known.get(address);
            if (found == null) {
                found = RnicContext.at(library, address);
                RnicContext begun = found;
                AsyncEvents.listen(begun, () -> forget(begun));
                known.put(address, found);
                LOG.info(
                        "RDMA device {}: {} ports, {}",
                        found.deviceName(),
                        found.ports(),
                        found.hasAtomics() ? "with atomics" : "no atomics: locks cannot be had over it");
            }
            return found;
        } finally {
            lock.unlock();
        }
    }
}
