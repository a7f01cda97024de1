package dev.retier.iwarp.rdmap;

/** How a work request ended. The codes are those of the verbs ({@code ibv_wc_status}). */
public enum WorkStatus {
    /** Done. */
    SUCCESS(0),
    /** A receive was too short, or a message too long to send. */
    LOCAL_LENGTH(1),
    /** A local buffer's key, bounds or rights are wrong. */
    LOCAL_PROTECTION(4),
    /** Never started, or unknown how far it came: the queue pair left its working state. */
    FLUSHED(5),
    /** The peer ended the stream because it was asked for memory, a range or a right that is not granted. */
    REMOTE_ACCESS(10),
    /** The peer ended the stream for another reason while this was under way. */
    REMOTE_ABORT(16),
    /** The stream failed here while this was under way. */
    FATAL(19);

    private final int code;

    WorkStatus(int code) {
        this.code = code;
    }

    /** The verbs' code. */
    public int code() {
        return code;
    }
}
