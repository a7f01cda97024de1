package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.ddp.ScatterList;
import dev.retier.iwarp.wire.AtomicOperands;
import org.jspecify.annotations.Nullable;

/**
 * One send work request in the queue's ring. Reused; guarded by the stream owner's lock.
 *
 * <p>A poster fills it between {@link SendQueue#claim} and {@link SendQueue#commit}.
 */
public final class SendWork {
    /** Bytes of an atomic's operand and result. */
    static final int ATOMIC_BYTES = 8;

    /** The poster's identifier. */
    public long workId;
    /** What to do. */
    public WorkOpcode opcode = WorkOpcode.SEND;
    /** Whether success is reported. */
    public boolean signaled;
    /** Whether to wait for all earlier reads and atomics. */
    public boolean fence;
    /** Whether the peer's solicited event is raised. */
    public boolean solicited;
    /** Where in the peer's memory. */
    public long remoteOffset;
    /** Which region of the peer. */
    public int remoteStag;
    /** What {@link WorkOpcode#WRITE_IMMEDIATE} carries. */
    public int immediate;
    /** The peer's STag to invalidate with a Send, 0 for none. */
    public int invalidateStag;
    /** The operands of an atomic. */
    public @Nullable AtomicOperands operands;

    private final ScatterList scatter;
    private byte[] inline = new byte[0];
    private int inlineLength = -1;

    // Progress, the engine's own.
    long done;
    boolean finished;
    boolean written;
    WorkStatus status = WorkStatus.SUCCESS;

    SendWork(int maxElements) {
        scatter = new ScatterList(maxElements);
    }

    /** The buffers. */
    public ScatterList scatter() {
        return scatter;
    }

    /** Uses a copy of the first {@code length} bytes of {@code bytes} instead of buffers. */
    public void inline(byte[] bytes, int length) {
        if (inline.length < length) {
            inline = new byte[length];
        }
        System.arraycopy(bytes, 0, inline, 0, length);
        inlineLength = length;
    }

    void reset() {
        scatter.clear();
        signaled = false;
        fence = false;
        solicited = false;
        remoteOffset = 0;
        remoteStag = 0;
        immediate = 0;
        invalidateStag = 0;
        operands = null;
        inlineLength = -1;
        done = 0;
        finished = false;
        written = false;
        status = WorkStatus.SUCCESS;
    }

    boolean isInline() {
        return inlineLength >= 0;
    }

    byte[] inlineBytes() {
        return inline;
    }

    /** Bytes to transfer: payload, or the answer's length. */
    public long totalBytes() {
        return isInline() ? inlineLength : scatter.totalBytes();
    }

    AtomicOperands requireOperands() {
        AtomicOperands set = operands;
        if (set == null) {
            throw new IllegalStateException("atomic work without operands");
        }
        return set;
    }
}
