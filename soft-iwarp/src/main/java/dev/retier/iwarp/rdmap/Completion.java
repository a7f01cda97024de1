package dev.retier.iwarp.rdmap;

/** One completion, reused from call to call: a sink copies what it needs. */
public final class Completion {
    /** The work request's identifier. */
    public long workId;
    /** How it ended. */
    public WorkStatus status = WorkStatus.SUCCESS;
    /** What it was. */
    public CompletionKind kind = CompletionKind.SEND;
    /** Bytes transferred, unsigned. */
    public int byteLength;
    /** The immediate, if {@link #hasImmediate}. */
    public int immediate;
    /** Whether an immediate came. */
    public boolean hasImmediate;
    /** Whether a queue that waits for solicited events only wakes up. */
    public boolean solicited;
    /** The STag that the peer invalidated, or 0. */
    public int invalidatedStag;
    /** Why the stream failed: the first 16 bits of the Terminate; 0 for success. */
    public int errorWord;

    Completion of(long id, CompletionKind newKind, WorkStatus newStatus, long bytes) {
        workId = id;
        kind = newKind;
        status = newStatus;
        byteLength = (int) bytes;
        immediate = 0;
        hasImmediate = false;
        solicited = newStatus != WorkStatus.SUCCESS;
        invalidatedStag = 0;
        errorWord = 0;
        return this;
    }

    /** Makes this equal to {@code other}. */
    public void copy(Completion other) {
        workId = other.workId;
        status = other.status;
        kind = other.kind;
        byteLength = other.byteLength;
        immediate = other.immediate;
        hasImmediate = other.hasImmediate;
        solicited = other.solicited;
        invalidatedStag = other.invalidatedStag;
        errorWord = other.errorWord;
    }
}
