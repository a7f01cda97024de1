package dev.retier.rnic;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection events of librdmacm. Each is copied and acknowledged as it is taken, so that nobody who keeps one can hold
 * up the end of a connection. Safe for any thread.
 */
final class RnicEventChannel extends RdmaEventChannel {
    private static final Logger LOG = LoggerFactory.getLogger(RnicEventChannel.class);
    private static final long ID = Layouts.at(Layouts.CM_EVENT, "id");
    private static final long LISTENER = Layouts.at(Layouts.CM_EVENT, "listen_id");
    private static final long EVENT = Layouts.at(Layouts.CM_EVENT, "event");
    private static final long STATUS = Layouts.at(Layouts.CM_EVENT, "status");
    private static final long DATA = Layouts.at(Layouts.CM_EVENT, "conn", "private_data");
    private static final long DATA_LENGTH = Layouts.at(Layouts.CM_EVENT, "conn", "private_data_len");

    final Library library;
    final long address;
    final RnicContexts contexts;
    private final Usable usable = new Usable("event channel");
    private final Descriptor events;
    private final Map<Long, RnicCmId> ids = new ConcurrentHashMap<>();
    private final Queue<RdmaCmEvent> own = new ConcurrentLinkedQueue<>();

    private RnicEventChannel(Library library, RnicContexts contexts, long address, Descriptor events)
            throws IOException {
        super(events.fd());
        this.library = library;
        this.contexts = contexts;
        this.address = address;
        this.events = events;
    }

    static RnicEventChannel create(Library library, RnicContexts contexts) throws IOException {
        long address = Calls.call(library.createEventChannel);
        if (address == 0) {
            throw library.failed(Remedies.EVENT_CHANNEL);
        }
        int fd = Calls.at(address, Layouts.size(Layouts.EVENT_CHANNEL))
                .get(ValueLayout.JAVA_INT, Layouts.at(Layouts.EVENT_CHANNEL, "fd"));
        try {
            return new RnicEventChannel(library, contexts, address, new Descriptor(library, fd));
        } catch (IOException e) {
            Calls.call(library.destroyEventChannel, address);
            throw e;
        }
    }

    /** The events of {@code id} are its own from now on. */
    void add(RnicCmId id) {
        ids.put(id.address(), id);
    }

    void remove(RnicCmId id) {
        ids.remove(id.address(), id);
    }

    /** An event that is not librdmacm's. */
    void raise(RdmaCmEvent event) {
        own.add(event);
    }

    /** The next event; null if none came in time. Negative waits for ever. */
    @Nullable
    RdmaCmEvent next(int timeoutMillis) throws IOException {
        return events.next(usable, timeoutMillis, this::read);
    }

    /** One whose identifier was destroyed meanwhile is nobody's. */
    private @Nullable RdmaCmEvent read() throws IOException {
        RdmaCmEvent ours = own.poll();
        while (ours == null) {
            MemorySegment place = Calls.results();
            if ((int) Calls.call(library.getCmEvent, address, place.address()) != 0) {
                int errno = Calls.errno();
                if (errno == Remedies.EAGAIN) {
                    return null;
                }
                throw library.failed("rdma_get_cm_event", errno);
            }
            long found = place.get(ValueLayout.JAVA_LONG, 0);
            try {
                ours = event(Calls.at(found, Layouts.size(Layouts.CM_EVENT)));
            } finally {
                Calls.call(library.ackCmEvent, found);
            }
        }
        return ours;
    }

    @SuppressWarnings("EnumOrdinal") // DiSNI's events have C's order
    private @Nullable RdmaCmEvent event(MemorySegment memory) throws IOException {
        int number = memory.get(ValueLayout.JAVA_INT, EVENT);
        EventType[] types = EventType.values();
        if (number < 0 || number >= types.length) {
            return null; // newer than DiSNI
        }
        EventType type = types[number];
        long address = memory.get(ValueLayout.JAVA_LONG, ID);
        RnicCmId listener = ids.get(memory.get(ValueLayout.JAVA_LONG, LISTENER));
        RnicCmId id = ids.get(address);
        byte[] data = privateData(memory);
        if (type == EventType.RDMA_CM_EVENT_CONNECT_REQUEST) {
            if (listener == null) {
                Calls.call(library.destroyId, address);
                return null;
            }
            id = requested(address);
        }
        if (id == null) {
            return null;
        }
        EventType told = id.happened(type);
        return new RnicCmEvent(told, listener, id, memory.get(ValueLayout.JAVA_INT, STATUS), data);
    }

    /** Null if it had to be refused. */
    private @Nullable RnicCmId requested(long address) {
        try {
            return RnicCmId.of(this, address);
        } catch (IOException e) {
            LOG.warn("a connection request is refused: {}", e.getMessage());
            return null;
        }
    }

    private static byte[] privateData(MemorySegment event) {
        long address = event.get(ValueLayout.JAVA_LONG, DATA);
        int length = Byte.toUnsignedInt(event.get(ValueLayout.JAVA_BYTE, DATA_LENGTH));
        return address == 0 || length == 0
                ? new byte[0]
                : Calls.at(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Destroys it, with what librdmacm keeps of it. Identifiers that it still has can do nothing from now on: C's ask
     * it, and it is freed.
     */
    void destroy() {
        close();
        if (usable.end()) {
            Calls.call(library.destroyEventChannel, address);
        }
    }

    /** For {@link RdmaCmId}s of it. */
    long enter() throws IOException {
        return usable.enter();
    }

    void leave(long stamp) {
        usable.leave(stamp);
    }
}
