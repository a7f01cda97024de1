package dev.retier.iwarp.mpa;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Frames ULPDUs into a {@link TransmitBatch}: length, pad, CRC, and markers if the peer wants them.
 *
 * <p>Use: {@link #begin}, write the headers at {@link #headerAt} of {@link #headerBuffer}, {@link #headerWritten},
 * any number of {@link #copy} or {@link #refer}, then {@link #end}. Owned by one thread at a time.
 */
public final class FpduEncoder {
    private final boolean crc;
    private final boolean markers;
    private final CRC32C sum = new CRC32C();
    private final MarkerInserter inserter = new MarkerInserter();
    /** Where an FPDU is put together before markers go in; used with markers only. */
    private final ByteBuffer scratch;

    private TransmitBatch batch = TransmitBatch.NONE;
    private ByteBuffer target;
    private int ulpduLength;
    private int fpduStart;
    private int summedTo;

    /** An encoder at the first byte of full operation. */
    public FpduEncoder(boolean crc, boolean markers) {
        this.crc = crc;
        this.markers = markers;
        this.scratch = ByteBuffer.allocate(markers ? Fpdu.MAX_TOTAL : 0).order(ByteOrder.BIG_ENDIAN);
        this.target = scratch;
    }

    /**
     * Whether payload may be referred to instead of copied: not with markers, which split it, nor if it may change
     * between its CRC and its way into TCP.
     *
     * @param stable whether nobody may change the payload until it has been sent
     */
    public boolean mayRefer(boolean stable) {
        return !markers && (stable || !crc);
    }

    /** Starts an FPDU whose ULPDU has this many bytes, and makes room for all that will be copied. */
    public void begin(TransmitBatch into, int length, int copied) {
        batch = into;
        ulpduLength = length;
        sum.reset();
        if (markers) {
            target = scratch.clear();
        } else {
            batch.beginFpdu(Fpdu.totalLength(length));
            target = batch.room(Fpdu.LENGTH_BYTES + copied + 3 + Fpdu.CRC_BYTES);
        }
        fpduStart = target.position();
        summedTo = fpduStart;
        target.putShort((short) length);
    }

    /** The big-endian buffer to write headers into, with absolute puts. */
    public ByteBuffer headerBuffer() {
        return target;
    }

    /** Where the next header goes. */
    public int headerAt() {
        return target.position();
    }

    /** Says that {@code length} bytes of header were written at {@link #headerAt}. */
    public void headerWritten(int length) {
        target.position(target.position() + length);
    }

    /** The buffer to copy payload into, relatively. */
    public ByteBuffer copy() {
        return target;
    }

    /** Sends {@code payload}'s remaining bytes without copying them; valid until the batch was written. */
    public void refer(ByteBuffer payload) {
        if (crc) {
            sumTarget();
            int from = payload.position();
            sum.update(payload);
            payload.position(from);
        }
        batch.refer(payload);
        summedTo = target.position();
    }

    /** Adds pad and CRC. */
    public void end() {
        for (int i = Fpdu.padLength(ulpduLength); i > 0; i--) {
            target.put((byte) 0);
        }
        if (markers) {
            target.flip();
            inserter.insert(target, batch, crc);
            return;
        }
        if (crc) {
            sumTarget();
        }
        target.putInt(crc ? Integer.reverseBytes((int) sum.getValue()) : 0);
    }

    private void sumTarget() {
        sum.update(batch.range(summedTo, target.position()));
    }
}
