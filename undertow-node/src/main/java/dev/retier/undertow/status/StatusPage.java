package dev.retier.undertow.status;

import java.io.StringWriter;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The status of a node as the JSON that its agent reads: the names of {@link NodeStatus} in snake case. Stateless. */
public final class StatusPage {
    private static final JsonFactory JSON = JsonFactory.builder().build();

    private StatusPage() {}

    /** One JSON object and the end of its line. */
    public static String of(NodeStatus status) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            identity(json, status);
            load(json, status);
            counts(json, status);
            upstreams(json, status);
            json.writeEndObject();
        }
        return text + "\n";
    }

    private static void identity(JsonGenerator json, NodeStatus status) {
        json.writeStringProperty("node", status.node());
        json.writeStringProperty("role", status.role());
        optional(json, "site", status.site());
        json.writeNumberProperty("applied_epoch", status.appliedEpoch());
        json.writeStringProperty("role_file_sha256", status.roleFileSha256());
        optional(json, "last_refusal", status.lastRefusal());
        json.writeNumberProperty("refusals_total", status.refusalsTotal());
        json.writeBooleanProperty("closing", status.closing());
        json.writeNumberProperty("uptime_seconds", status.uptimeSeconds());
    }

    private static void load(JsonGenerator json, NodeStatus status) {
        json.writeNumberProperty("capacity_units_per_second", status.capacityUnitsPerSecond());
        json.writeNumberProperty("busy_seconds_total", status.busySecondsTotal());
        json.writeNumberProperty("backlog_seconds", status.backlogSeconds());
        json.writeNumberProperty("in_flight", status.inFlight());
        json.writeNumberProperty("client_in_flight", status.clientInFlight());
        Double age = status.lastClientRequestAgeSeconds();
        if (age == null) {
            json.writeNullProperty("last_client_request_age_seconds");
        } else {
            json.writeNumberProperty("last_client_request_age_seconds", age);
        }
    }

    private static void counts(JsonGenerator json, NodeStatus status) {
        byClass(json, "requests_total", status.requestsTotal(), json::writeNumberProperty);
        byClass(json, "completed_total", status.completedTotal(), json::writeNumberProperty);
        byClass(json, "completed_per_second", status.completedPerSecond(), json::writeNumberProperty);
        json.writeNumberProperty("errors_total", status.errorsTotal());
        json.writeNumberProperty("rejected_total", status.rejectedTotal());
        json.writeObjectPropertyStart("cache");
        json.writeNumberProperty("entries", status.cache().entries());
        json.writeNumberProperty("bytes", status.cache().bytes());
        json.writeNumberProperty("hits_total", status.cache().hitsTotal());
        json.writeNumberProperty("misses_total", status.cache().missesTotal());
        json.writeEndObject();
        json.writeNumberProperty("forwarded_total", status.forwardedTotal());
        json.writeNumberProperty("retries_total", status.retriesTotal());
        json.writeNumberProperty("connections_let_go_total", status.connectionsLetGoTotal());
        json.writeBooleanProperty("sends_by_loads", status.sendsByLoads());
    }

    private static void upstreams(JsonGenerator json, NodeStatus status) {
        json.writeArrayPropertyStart("upstreams");
        for (NodeStatus.Upstream app : status.upstreams()) {
            json.writeStartObject();
            json.writeStringProperty("node", app.node());
            json.writeStringProperty("address", app.address());
            json.writeNumberProperty("weight", app.weight());
            json.writeNumberProperty("in_flight", app.inFlight());
            json.writeNumberProperty("failures_total", app.failuresTotal());
            json.writeBooleanProperty("benched", app.benched());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static <V> void byClass(
            JsonGenerator json, String name, Map<String, V> values, BiConsumer<String, V> write) {
        json.writeObjectPropertyStart(name);
        values.forEach(write);
        json.writeEndObject();
    }

    private static void optional(JsonGenerator json, String name, @Nullable String value) {
        if (value == null) {
            json.writeNullProperty(name);
        } else {
            json.writeStringProperty(name, value);
        }
    }
}
