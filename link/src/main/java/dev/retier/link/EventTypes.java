package dev.retier.link;

import com.ibm.disni.verbs.RdmaCmEvent;
import java.util.List;

/** The type of a connection manager's event, which DiSNI gives as the number that librdmacm has for it. Stateless. */
final class EventTypes {
    private static final List<RdmaCmEvent.EventType> BY_NUMBER = List.of(RdmaCmEvent.EventType.values());

    private EventTypes() {}

    static RdmaCmEvent.EventType of(RdmaCmEvent event) {
        return BY_NUMBER.get(event.getEvent());
    }
}
