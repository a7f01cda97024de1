package dev.retier.iwarp.rdmap;

/** What kind of work a completion is about. The codes are those of the verbs ({@code ibv_wc_opcode}). */
public enum CompletionKind {
    /** A Send. */
    SEND(0),
    /** An RDMA Write, with or without immediate. */
    RDMA_WRITE(1),
    /** An RDMA Read. */
    RDMA_READ(2),
    /** A compare-and-swap. */
    COMPARE_SWAP(3),
    /** A fetch-add. */
    FETCH_ADD(4),
    /** A receive that a Send filled. */
    RECEIVE(128),
    /** A receive that Immediate Data consumed. */
    RECEIVE_IMMEDIATE(129);

    private final int code;

    CompletionKind(int code) {
        this.code = code;
    }

    /** The verbs' code. */
    public int code() {
        return code;
    }
}
