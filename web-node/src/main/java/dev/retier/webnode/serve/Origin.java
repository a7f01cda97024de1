package dev.retier.webnode.serve;

import dev.retier.webnode.config.WebNodeSettings;
import dev.retier.webnode.core.Answer;
import dev.retier.webnode.core.SyntheticContent;
import dev.retier.webnode.measure.Durations;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** An app's work: static files and computations. Thread-safe. */
public final class Origin implements HttpHandler {
    private static final int MAX_NUMBER_LENGTH = 15;

    private final WebNodeSettings settings;
    private final WorkLine workLine;
    private final Durations durations;

    /** The app of a node with these settings, whose work {@code workLine} does. */
    public Origin(WebNodeSettings settings, WorkLine workLine, Durations durations) {
        this.settings = settings;
        this.workLine = workLine;
        this.durations = durations;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) {
        Visit.begin(exchange, durations, this::serve);
    }

    private void serve(Visit visit) {
        switch (visit.kind()) {
            case STATIC -> serveFile(visit);
            case DYNAMIC -> compute(visit);
        }
    }

    private void serveFile(Visit visit) {
        Optional<String> size = visit.parameter("size");
        double wanted =
                size.map(Origin::number).orElse((double) settings.content().defaultBytes());
        if (Double.isNaN(wanted)) {
            refuse(visit, "size", "a whole number of bytes");
            return;
        }
        int length = (int) Math.min(wanted, settings.content().maxBytes());
        after(visit, settings.costs().staticOrigin(), () -> sendFile(visit.exchange(), length));
    }

    private void sendFile(HttpServerExchange exchange, int length) {
        String path = exchange.getRequestPath();
        Replies.send(
                exchange,
                new Answer(
                        StatusCodes.OK,
                        "text/plain; charset=us-ascii",
                        SyntheticContent.entityTag(path, length),
                        "public, max-age=" + settings.content().maxAgeSeconds(),
                        null,
                        SyntheticContent.body(path, length)));
    }

    private void compute(Visit visit) {
        Optional<String> asked = visit.parameter("units");
        double wanted = asked.map(Origin::number).orElse(settings.costs().dynamic());
        if (Double.isNaN(wanted)) {
            refuse(visit, "units", "a number of capacity units");
            return;
        }
        double units = asked.isPresent() ? Math.min(wanted, settings.costs().dynamicMax()) : wanted;
        after(visit, units, () -> sendComputed(visit.exchange(), units));
    }

    private void sendComputed(HttpServerExchange exchange, double units) {
        String line = settings.node() + " computed " + exchange.getRequestPath() + " with " + units + " units\n";
        byte[] body = line.getBytes(StandardCharsets.UTF_8);
        Replies.send(exchange, new Answer(StatusCodes.OK, "text/plain; charset=utf-8", null, "no-store", null, body));
    }

    private void after(Visit visit, double units, Runnable next) {
        workLine.after(visit.exchange().getIoThread(), units, Guard.of(visit.exchange(), next));
    }

    private static void refuse(Visit visit, String parameter, String form) {
        Replies.line(visit.exchange(), StatusCodes.BAD_REQUEST, "query parameter " + parameter + " must be " + form);
    }

    /** Digits with at most one point; anything else is NaN. */
    private static double number(String text) {
        boolean isNumber = text.length() <= MAX_NUMBER_LENGTH && text.matches("[0-9]+(\\.[0-9]+)?");
        return isNumber ? Double.parseDouble(text) : Double.NaN;
    }
}
