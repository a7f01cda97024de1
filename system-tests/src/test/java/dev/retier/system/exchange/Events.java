package dev.retier.system.exchange;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connection events of one end, which may be of several connections. Owned by one thread. */
@SuppressWarnings({"EnumOrdinal", "ReferenceEquality"}) // DiSNI's events are ordinals, its identifiers objects
final class Events implements AutoCloseable {
    private static final List<EventType> ENDS = List.of(
            EventType.RDMA_CM_EVENT_ADDR_ERROR,
            EventType.RDMA_CM_EVENT_ROUTE_ERROR,
            EventType.RDMA_CM_EVENT_CONNECT_ERROR,
            EventType.RDMA_CM_EVENT_UNREACHABLE,
            EventType.RDMA_CM_EVENT_REJECTED,
            EventType.RDMA_CM_EVENT_DISCONNECTED,
            EventType.RDMA_CM_EVENT_DEVICE_REMOVAL);

    private static final int END_MILLIS = 1000;

    private final RdmaCm cm = RdmaCm.open();
    private final RdmaEventChannel channel = cm.createEventChannel();
    private final Duration patience;
    /** Those that nobody has asked for yet. */
    private final List<RdmaCmEvent> waiting = new ArrayList<>();

    Events(Duration patience) throws IOException {
        this.patience = patience;
    }

    Duration patience() {
        return patience;
    }

    RdmaCmId newId() throws IOException {
        return cm.createId(channel, RdmaCm.RDMA_PS_TCP);
    }

    /** Waits for an event of {@code id}, or of a connection that was requested from it. */
    RdmaCmEvent await(EventType wanted, RdmaCmId id) throws IOException, Wrong {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            RdmaCmEvent found = find(wanted, id);
            if (found != null) {
                return found;
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0 || !fetch((int) left)) {
                throw new Wrong("no " + wanted + " within " + patience.toSeconds() + " s");
            }
        }
    }

    /** What has ended {@code id}, now or within a second, for people; empty if nothing has. */
    String end(RdmaCmId id) throws IOException {
        boolean more = true;
        while (more) {
            for (RdmaCmEvent event : waiting) {
                if (event.getConnIdPriv() == id && ENDS.contains(type(event))) {
                    return words(event);
                }
            }
            more = fetch(END_MILLIS);
        }
        return "";
    }

    /** Forgets what has come for {@code id}. */
    void forget(RdmaCmId id) {
        waiting.removeIf(event -> event.getConnIdPriv() == id);
    }

    private @Nullable RdmaCmEvent find(EventType wanted, RdmaCmId id) throws Wrong {
        for (Iterator<RdmaCmEvent> events = waiting.iterator(); events.hasNext(); ) {
            RdmaCmEvent event = events.next();
            boolean isOf = event.getConnIdPriv() == id || event.getListenIdPriv() == id;
            if (isOf && type(event) == wanted) {
                events.remove();
                return event;
            }
            if (isOf && ENDS.contains(type(event))) {
                throw new Wrong("no " + wanted + ", but " + words(event));
            }
        }
        return null;
    }

    private boolean fetch(int millis) throws IOException {
        RdmaCmEvent event = cm.getCmEvent(channel, millis);
        if (event == null) {
            return false;
        }
        waiting.add(event);
        cm.ackCmEvent(event);
        return true;
    }

    private static EventType type(RdmaCmEvent event) {
        return EventType.values()[event.getEvent()];
    }

    private static String words(RdmaCmEvent event) {
        return type(event) + " with status " + event.getStatus() + " (" + event + ")";
    }

    @Override
    public void close() throws IOException {
        channel.destroyEventChannel();
    }
}
