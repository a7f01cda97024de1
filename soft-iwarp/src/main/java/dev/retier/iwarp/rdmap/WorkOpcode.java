package dev.retier.iwarp.rdmap;

/** What a send work request asks for. */
public enum WorkOpcode {
    /** RDMA Write. */
    WRITE(CompletionKind.RDMA_WRITE),
    /** RDMA Write, then Immediate Data. */
    WRITE_IMMEDIATE(CompletionKind.RDMA_WRITE),
    /** Send; with the invalidate STag set, Send with Invalidate. */
    SEND(CompletionKind.SEND),
    /** RDMA Read. */
    READ(CompletionKind.RDMA_READ),
    /** Atomic compare-and-swap. */
    COMPARE_SWAP(CompletionKind.COMPARE_SWAP),
    /** Atomic fetch-add. */
    FETCH_ADD(CompletionKind.FETCH_ADD);

    private final CompletionKind kind;

    WorkOpcode(CompletionKind kind) {
        this.kind = kind;
    }

    /** What its completion says. */
    public CompletionKind kind() {
        return kind;
    }

    /** Whether it is done only when the peer has answered. */
    public boolean awaitsResponse() {
        return this == READ || isAtomic();
    }

    /** Whether it is one of the two atomics. */
    public boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }
}
