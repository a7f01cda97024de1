package dev.retier.load.record;

import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Held;
import dev.retier.load.measure.Outcome;
import dev.retier.traces.TraceEvent;

/**
 * How the requests of a run are written, one line each. Times are nanoseconds since the start of the run.
 *
 * <p>{@code outcome} is {@code GOOD}, {@code DROPPED} (the generator gave it up) or a {@link FailureKind}; {@code
 * latency_ns} is from {@code due_ns} to the last byte, and for a request that was never answered the least that its
 * answer would have taken; {@code own_ns} is the part of it in which the generator itself kept the request; {@code
 * status} is 0 without a complete answer. Of a request that opened a stream, {@code latency_ns} is up to the head of
 * the answer, {@code opened_ns} is when that came, {@code first_ns} when the first content was there (nothing if none
 * came), {@code events} how many events or messages came, and {@code end_ns} when the stream was over; other requests
 * have nothing there.
 */
public enum RequestFormat {
    /** A heading, then a line per request (RFC 4180). */
    CSV {
        @Override
        String heading() {
            return "site,due_ns,own_ns,sent_ns,end_ns,latency_ns,outcome,status,body_bytes,class,segment,target,method,"
                    + "url,opened_ns,first_ns,events\n";
        }

        @Override
        void append(StringBuilder to, String site, Outcome outcome) {
            TraceEvent event = outcome.work().event();
            to.append(site)
                    .append(',')
                    .append(outcome.work().dueNanos())
                    .append(',')
                    .append(outcome.work().ownNanos())
                    .append(',')
                    .append(outcome.sentNanos())
                    .append(',')
                    .append(outcome.endNanos())
                    .append(',')
                    .append(outcome.responseNanos())
                    .append(',')
                    .append(word(outcome))
                    .append(',')
                    .append(outcome.status())
                    .append(',')
                    .append(outcome.bodyBytes())
                    .append(',')
                    .append(event.requestClass())
                    .append(',')
                    .append(event.segment())
                    .append(',')
                    .append(outcome.target())
                    .append(',')
                    .append(event.method())
                    .append(',');
            quoted(to, event.target(), '"', '"');
            Held held = outcome.held();
            if (held == null) {
                to.append(",,,\n");
                return;
            }
            to.append(',').append(held.openedNanos()).append(',');
            if (held.firstNanos() != Held.NOTHING) {
                to.append(held.firstNanos());
            }
            to.append(',').append(held.events()).append('\n');
        }
    },
    /** A JSON object per line, with the names of CSV's heading. */
    JSONL {
        @Override
        String heading() {
            return "";
        }

        @Override
        void append(StringBuilder to, String site, Outcome outcome) {
            TraceEvent event = outcome.work().event();
            to.append("{\"site\":\"")
                    .append(site)
                    .append("\",\"due_ns\":")
                    .append(outcome.work().dueNanos())
                    .append(",\"own_ns\":")
                    .append(outcome.work().ownNanos())
                    .append(",\"sent_ns\":")
                    .append(outcome.sentNanos())
                    .append(",\"end_ns\":")
                    .append(outcome.endNanos())
                    .append(",\"latency_ns\":")
                    .append(outcome.responseNanos())
                    .append(",\"outcome\":\"")
                    .append(word(outcome))
                    .append("\",\"status\":")
                    .append(outcome.status())
                    .append(",\"body_bytes\":")
                    .append(outcome.bodyBytes())
                    .append(",\"class\":\"")
                    .append(event.requestClass())
                    .append("\",\"segment\":")
                    .append(event.segment())
                    .append(",\"target\":\"")
                    .append(outcome.target())
                    .append("\",\"method\":\"")
                    .append(event.method())
                    .append("\",\"url\":");
            quoted(to, event.target(), '"', '\\');
            Held held = outcome.held();
            if (held != null) {
                to.append(",\"opened_ns\":").append(held.openedNanos());
                if (held.firstNanos() != Held.NOTHING) {
                    to.append(",\"first_ns\":").append(held.firstNanos());
                }
                to.append(",\"events\":").append(held.events());
            }
            to.append("}\n");
        }
    };

    /** {@link #JSONL} for a file whose name ends with {@code .jsonl}, else {@link #CSV}. */
    public static RequestFormat of(String fileName) {
        return fileName.endsWith(".jsonl") ? JSONL : CSV;
    }

    /** What a file begins with. */
    abstract String heading();

    /** Appends the line of {@code outcome}. */
    abstract void append(StringBuilder to, String site, Outcome outcome);

    private static String word(Outcome outcome) {
        FailureKind failure = outcome.failure();
        if (failure != null) {
            return failure.name();
        }
        return outcome.isDropped() ? "DROPPED" : "GOOD";
    }

    /** {@code text} is printable ASCII, as request targets are; quotes and escapes get {@code escape} before them. */
    private static void quoted(StringBuilder to, String text, char quote, char escape) {
        to.append(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == quote || c == escape) {
                to.append(escape);
            }
            to.append(c);
        }
        to.append(quote);
    }
}
