package dev.retier.load.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the streams of a run did that were held open: event streams, other answers without end, WebSockets.
 *
 * @param opened those whose answer began well; each of them ended as a request that was answered, that failed, or that
 *     was dropped
 * @param ended those that the server or the network ended before their time
 * @param mostOpen the most that were open at the end of an interval
 * @param events events or messages that came; of other content none are told apart
 * @param bytes of content that came, chunk and frame heads left out
 * @param texts messages of text among {@code events}
 * @param pings pings of servers, each answered by a pong
 * @param messagesSent messages that were sent
 * @param messagesLeftOut messages that were due and not sent, as too many before them had no reply
 * @param unmatched messages that came while none that was sent waited for a reply, and sent ones given up because 1,000
 *     waited for one
 * @param closesUnanswered WebSockets whose server did not answer that they be closed
 * @param queued streams that had to wait for a client, as all of them held one
 * @param first from the time a stream was due to its first event, message or other content
 * @param reply from the time a message was due to be sent to the reply; of one without reply the time until its stream
 *     ended; null when the server does not answer one message with one, so that no reply is known to belong to it
 * @param intervals from the start to the end
 */
public record StreamFigures(
        long opened,
        long ended,
        long mostOpen,
        long events,
        long bytes,
        long texts,
        long pings,
        long messagesSent,
        long messagesLeftOut,
        long unmatched,
        long closesUnanswered,
        long queued,
        Latency first,
        @Nullable Latency reply,
        List<StreamInterval> intervals) {
    /** Copies the list. */
    public StreamFigures {
        intervals = List.copyOf(intervals);
    }
}
