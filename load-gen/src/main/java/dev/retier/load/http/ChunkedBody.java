package dev.retier.load.http;

import dev.retier.load.http.ResponseFraming.Progress;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Finds the end of a chunked body (RFC 9112 section 7.1), trailers included. One thread. */
final class ChunkedBody {
    /** Chunk extensions and trailers beyond this are refused. */
    static final int MAX_LINE_BYTES = 8 * 1024;

    /** More trailer lines are refused. */
    static final int MAX_TRAILERS = 128;

    private static final int MAX_SIZE_DIGITS = 15;

    private final @Nullable BodySink sink;
    private Phase phase = Phase.SIZE;
    private long dataBytes;
    private long chunkLeft;
    private int lineBytes;
    private int digits;
    private boolean inExtension;
    private boolean afterReturn;
    private int trailers;

    private enum Phase {
        SIZE,
        DATA,
        DATA_END,
        TRAILER,
        BAD,
        DONE
    }

    ChunkedBody(@Nullable BodySink sink) {
        this.sink = sink;
    }

    void start() {
        phase = Phase.SIZE;
        dataBytes = 0;
        trailers = 0;
        afterReturn = false;
        startLine();
    }

    long dataBytes() {
        return dataBytes;
    }

    Progress feed(ByteBuf in) {
        while (in.isReadable() && phase != Phase.DONE && phase != Phase.BAD) {
            phase = phase == Phase.DATA ? data(in) : line((char) (in.readByte() & 0xFF));
        }
        return switch (phase) {
            case DONE -> Progress.COMPLETE;
            case BAD -> Progress.BAD;
            case SIZE, DATA, DATA_END, TRAILER -> Progress.MORE;
        };
    }

    private Phase data(ByteBuf in) {
        int taken = (int) Math.min(chunkLeft, in.readableBytes());
        if (sink != null) {
            sink.body(in, in.readerIndex(), taken);
        }
        in.skipBytes(taken);
        chunkLeft -= taken;
        dataBytes += taken;
        return chunkLeft > 0 ? Phase.DATA : Phase.DATA_END;
    }

    private Phase line(char c) {
        if (c == '\n') {
            afterReturn = false;
            return lineEnded();
        }
        if (afterReturn) {
            return Phase.BAD;
        }
        if (c == '\r') {
            afterReturn = true;
            return phase;
        }
        if (++lineBytes > MAX_LINE_BYTES || phase == Phase.DATA_END) {
            return Phase.BAD;
        }
        return phase == Phase.SIZE ? sizeCharacter(c) : phase;
    }

    private Phase sizeCharacter(char c) {
        inExtension |= c == ';' || c == ' ' || c == '\t';
        if (inExtension) {
            return phase;
        }
        int digit = Character.digit(c, 16);
        if (digit < 0 || ++digits > MAX_SIZE_DIGITS) {
            return Phase.BAD;
        }
        chunkLeft = chunkLeft * 16 + digit;
        return phase;
    }

    private Phase lineEnded() {
        boolean empty = lineBytes == 0;
        boolean noSize = digits == 0;
        Phase ended = phase;
        if (ended != Phase.SIZE || chunkLeft == 0) {
            startLine();
        }
        return switch (ended) {
            case SIZE -> noSize ? Phase.BAD : chunkLeft == 0 ? Phase.TRAILER : Phase.DATA;
            case DATA_END -> Phase.SIZE;
            case TRAILER -> empty ? Phase.DONE : ++trailers > MAX_TRAILERS ? Phase.BAD : Phase.TRAILER;
            case DATA, BAD, DONE -> ended;
        };
    }

    private void startLine() {
        lineBytes = 0;
        digits = 0;
        chunkLeft = 0;
        inExtension = false;
    }
}
