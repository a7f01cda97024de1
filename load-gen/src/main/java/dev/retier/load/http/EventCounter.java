package dev.retier.load.http;

import io.netty.buffer.ByteBuf;

/**
 * Counts the events of a {@code text/event-stream} (WHATWG HTML, section 9.2 "Server-sent events"), however its bytes
 * are cut into pieces. An event is over at the empty line after at least one {@code data} line; comments, such as those
 * that keep a connection alive, and events without data are none. What the end of the stream cuts short is none either.
 * One thread.
 */
public final class EventCounter {
    private static final String DATA = "data";
    private static final int NO_MATCH = -1;

    private long events;
    /** Characters of {@link #DATA} that the line began with; {@link #NO_MATCH} when it begins otherwise. */
    private int matched;

    private boolean isLineEmpty = true;
    private boolean hasData;
    private boolean afterReturn;

    /** Makes ready for another stream. */
    public void start() {
        events = 0;
        matched = 0;
        isLineEmpty = true;
        hasData = false;
        afterReturn = false;
    }

    /** Looks at {@code length} bytes of {@code in} from index {@code from} on; its indices stay as they are. */
    public void feed(ByteBuf in, int from, int length) {
        for (int i = from; i < from + length; i++) {
            take((char) (in.getByte(i) & 0xFF));
        }
    }

    /** Events so far. */
    public long events() {
        return events;
    }

    private void take(char c) {
        boolean isSecondOfPair = afterReturn && c == '\n';
        afterReturn = c == '\r';
        if (isSecondOfPair) {
            return;
        }
        if (c == '\r' || c == '\n') {
            lineEnded();
        } else if (matched == DATA.length()) {
            hasData |= c == ':';
            isLineEmpty = false;
            matched = NO_MATCH;
        } else {
            isLineEmpty = false;
            matched = matched != NO_MATCH && DATA.charAt(matched) == c ? matched + 1 : NO_MATCH;
        }
    }

    private void lineEnded() {
        if (isLineEmpty) {
            events += hasData ? 1 : 0;
            hasData = false;
        } else {
            hasData |= matched == DATA.length();
        }
        matched = 0;
        isLineEmpty = true;
    }
}
