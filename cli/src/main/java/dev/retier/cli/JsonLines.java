package dev.retier.cli;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.JsonEscapeUtil;
import java.time.Instant;
import org.slf4j.event.KeyValuePair;

/**
 * Log lines as JSON: logback's own names, without what is the same in every line, and {@code time} (UTC, ISO 8601).
 * Key-values of a line are members of its object and no list, and numbers are numbers, as collectors want them.
 */
final class JsonLines extends JsonEncoder {
    JsonLines() {
        setWithSequenceNumber(false);
        setWithNanoseconds(false);
        setWithContext(false);
        setWithMarkers(false);
        setWithMDC(false);
        setWithMessage(false);
        setWithArguments(false);
        setWithFormattedMessage(true);
    }

    @Override
    protected void appendKeyValuePairs(StringBuilder line, ILoggingEvent event) {
        append(line, "time", Instant.ofEpochMilli(event.getTimeStamp()));
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                append(line, pair.key, pair.value);
            }
        }
    }

    private static void append(StringBuilder line, String key, Object value) {
        line.append(",\"").append(JsonEscapeUtil.jsonEscapeString(key)).append("\":");
        if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            line.append(value);
        } else {
            String text = JsonEscapeUtil.jsonEscapeString(String.valueOf(value));
            line.append('"').append(text).append('"');
        }
    }
}
