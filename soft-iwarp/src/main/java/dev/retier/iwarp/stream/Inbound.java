package dev.retier.iwarp.stream;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.FpduDecoder;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;

/**
 * The way of received bytes from TCP into the engine. Where no CRC has to be checked first, the payload of a long
 * tagged segment goes from TCP straight into the region.
 *
 * <p>Use: let TCP fill {@link #spaces}, then, whatever came of it, call {@link #arrived}. Guarded by the stream owner's
 * lock.
 */
public final class Inbound {
    /** Missing payload from which it is placed directly: for less, a copy is cheaper than a read of its own. */
    private static final int DIRECT_BYTES = 8 * 1024;
    /** Bytes taken behind directly placed payload: its trailer, and so much of what follows as may well be copied. */
    private static final int BEHIND_BYTES = 2 * 1024;

    private final StreamEngine engine;
    private final FpduDecoder decoder;
    private final ByteBuffer[] spaces = new ByteBuffer[2];
    private int count;

    /** The way into {@code engine}, which starts with the first byte of full operation. */
    public Inbound(StreamEngine engine, Agreement agreement) {
        this.engine = engine;
        this.decoder = new FpduDecoder(agreement.crc(), agreement.markersToReceive());
    }

    /** Where the next bytes of TCP go, in this order; use the first {@link #count} elements. */
    public ByteBuffer[] spaces() {
        count = 0;
        if (decoder.elsewhere() > 0) {
            ByteBuffer direct = engine.placement();
            if (direct == null) {
                decoder.discard();
            } else {
                spaces[count++] = direct;
            }
        }
        spaces[count] = count == 0 ? decoder.space() : decoder.space(BEHIND_BYTES);
        count++;
        return spaces;
    }

    /** How many spaces there are: 1 or 2. */
    public int count() {
        return count;
    }

    /** Processes what was put into the spaces, if anything. */
    public void arrived() {
        if (count > 1) {
            decoder.arrivedElsewhere(engine.placed());
        }
        count = 0;
        decode();
    }

    /** Bytes of memory held, for the cap per connection. */
    public int capacity() {
        return decoder.capacity();
    }

    private void decode() {
        while (true) {
            switch (decoder.next()) {
                case NEED_MORE -> {
                    split();
                    return;
                }
                case ULPDU -> engine.receive(decoder.ulpduBuffer(), decoder.ulpduOffset(), decoder.ulpduLength());
                case PLACED -> engine.placementComplete();
                case CRC_MISMATCH -> {
                    engine.framingError(TerminateReason.MPA_CRC);
                    decoder.discard();
                    return;
                }
                case MARKER_MISMATCH -> {
                    engine.framingError(TerminateReason.MPA_MARKER);
                    decoder.discard();
                    return;
                }
            }
        }
    }

    /** If most of a long FPDU is still to come, lets the rest bypass the decoder. */
    private void split() {
        if (decoder.begun(TaggedHeader.LENGTH)
                && decoder.ulpduLength() - decoder.ulpduArrived() >= DIRECT_BYTES
                && engine.place(
                        decoder.ulpduBuffer(), decoder.ulpduOffset(), decoder.ulpduArrived(), decoder.ulpduLength())) {
            decoder.split();
        }
    }
}
