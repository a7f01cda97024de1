package dev.retier.rnic;

import java.util.Arrays;

/** The events of {@code enum ibv_event_type} that matter here. */
enum AsyncEvent {
    /** A completion queue lost completions. */
    CQ_ERR(0, Concern.QUEUE, "a completion queue overran; its connections end"),
    /** A queue pair failed. */
    QP_FATAL(1, Concern.PAIR, "a queue pair failed; its connection ends"),
    /** A peer asked for something that cannot be. */
    QP_REQ_ERR(2, Concern.PAIR, "a peer sent a request that cannot be; its connection ends"),
    /** A peer asked for something that it may not have. */
    QP_ACCESS_ERR(3, Concern.PAIR, "a peer asked for memory that it has no right to; its connection ends"),
    /** The device failed. */
    DEVICE_FATAL(8, Concern.DEVICE, "the device failed; all of its connections end"),
    /** A port came. */
    PORT_ACTIVE(9, Concern.PORT, "it is up"),
    /** A port went. */
    PORT_ERR(10, Concern.PORT, "it is down; what is under way stalls until it is up, or times out"),
    /** Anything else. */
    OTHER(-1, Concern.NOTHING, "");

    /** What an event is about. */
    enum Concern {
        PORT,
        PAIR,
        QUEUE,
        DEVICE,
        NOTHING
    }

    private final int code;
    private final Concern concern;
    private final String words;

    AsyncEvent(int code, Concern concern, String words) {
        this.code = code;
        this.concern = concern;
        this.words = words;
    }

    static AsyncEvent of(int code) {
        return Arrays.stream(values())
                .filter(event -> event.code == code)
                .findFirst()
                .orElse(OTHER);
    }

    Concern concerns() {
        return concern;
    }

    /** For people. */
    String words() {
        return words;
    }
}
