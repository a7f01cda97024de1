package dev.retier.traces.text;

import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.RequestTargets;
import dev.retier.traces.TraceEvent;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Our own text form of a trace, which loses nothing: the heading {@link #HEADING}, then one event per line. No field
 * needs quotes: the target comes last and has no control characters. A request with a body has two more fields before
 * its target, the type and the bytes of the body in Base64; a target starts with a slash, a type does not. Stateless.
 */
public final class CsvFormat implements LineFormat {
    /** First line of a file. */
    public static final String HEADING = "offset_ns,client,method,class,size_bytes,not_modified,segment,target";

    private static final Pattern LINE =
            Pattern.compile("(\\d{1,18}),(\\d{1,19}),([A-Z]{1,7}),(STATIC|DYNAMIC),(-1|\\d{1,18}),([01]),(\\d{1,9}),"
                    + "(?:([^,/]+/[^,]+),([A-Za-z0-9+/=]*),)?(/[!-~]*)");

    /** The line of {@code event}, without a line end. */
    public static String line(TraceEvent event) {
        RequestBody body = event.body();
        return event.offsetNanos()
                + "," + event.clientId()
                + "," + event.method()
                + "," + event.requestClass()
                + "," + event.sizeBytes()
                + "," + (event.conditional() ? 1 : 0)
                + "," + event.segment()
                + (body == null ? "" : "," + body.contentType() + "," + body.base64())
                + "," + event.target();
    }

    @Override
    public LineResult parse(String line) {
        if (line.isBlank() || line.equals(HEADING)) {
            return new LineResult.Nothing();
        }
        Matcher fields = LINE.matcher(line);
        if (!fields.matches()) {
            return new LineResult.Bad("is not: " + HEADING);
        }
        try {
            return new LineResult.Request(Long.parseLong(fields.group(1)), event(fields));
        } catch (IllegalArgumentException e) {
            return new LineResult.Bad(String.valueOf(e.getMessage()));
        }
    }

    private static long client(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("client " + digits + " is above " + Long.MAX_VALUE, e);
        }
    }

    private static RequestMethod method(String word) {
        return Stream.of(RequestMethod.values())
                .filter(method -> method.name().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no method " + word));
    }

    private static TraceEvent event(Matcher fields) {
        String target = fields.group(10);
        if (target.length() > RequestTargets.MAX_LENGTH) {
            throw new IllegalArgumentException("URL is longer than " + RequestTargets.MAX_LENGTH + " bytes");
        }
        TraceEvent event = new TraceEvent(
                0,
                client(fields.group(2)),
                target,
                RequestClass.valueOf(fields.group(4)),
                Long.parseLong(fields.group(5)),
                method(fields.group(3)),
                fields.group(6).equals("1"),
                Integer.parseInt(fields.group(7)),
                null);
        String bodyType = fields.group(8);
        return bodyType == null ? event : event.withBody(RequestBody.ofBase64(bodyType, fields.group(9)));
    }
}
