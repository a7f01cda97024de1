package dev.retier.load.drive;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * That each request opens a stream, which is held: an answer without end, or a WebSocket.
 *
 * @param isWebSocket whether a WebSocket is asked for (RFC 6455)
 * @param hold how long a stream is held from its head on, 1 ms to 366 d; null: until the run ends
 * @param message what is sent over each WebSocket again and again, up to 64 KiB of UTF-8; null: nothing
 * @param sendEvery from one message to the next, 1 ms to 1 h; the first is due so long after the opening
 */
public record Streams(
        boolean isWebSocket,
        @Nullable Duration hold,
        @Nullable String message,
        @Nullable Duration sendEvery) {
    private static final int MAX_MESSAGE_BYTES = 64 * 1024;
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    /** Answers without end, such as event streams. */
    public static Streams events(@Nullable Duration hold) {
        return new Streams(false, hold, null, null);
    }

    /** WebSockets over which nothing is sent. */
    public static Streams webSockets(@Nullable Duration hold) {
        return new Streams(true, hold, null, null);
    }

    /** What is wrong, one line each. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (hold != null && !isWithin(hold, MILLISECOND, Duration.ofDays(366))) {
            problems.add("hold " + hold.toMillis() + " ms: must be 1 ms to 366 d");
        }
        if (message != null && !isWebSocket) {
            problems.add("send: messages can be sent over WebSockets only; give a ws:// or wss:// address");
        }
        if ((message == null) != (sendEvery == null)) {
            problems.add("send and send-every go together; give both");
        }
        if (message != null && message.getBytes(StandardCharsets.UTF_8).length > MAX_MESSAGE_BYTES) {
            problems.add("send: the message is longer than 64 KiB");
        }
        if (sendEvery != null && !isWithin(sendEvery, MILLISECOND, Duration.ofHours(1))) {
            problems.add("send-every " + sendEvery.toMillis() + " ms: must be 1 ms to 1 h");
        }
        return problems;
    }

    private static boolean isWithin(Duration value, Duration least, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }
}
