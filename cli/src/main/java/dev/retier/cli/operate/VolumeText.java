package dev.retier.cli.operate;

import dev.retier.config.SizeText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Volumes of an agent's status as lines for people. Stateless. */
final class VolumeText {
    private static final int MOST_LINES = 32;
    private static final long GIBIBYTE = 1L << 30;
    private static final long MEBIBYTE = 1L << 20;

    private VolumeText() {}

    /** A volume server. */
    static String server(JsonNode server) {
        StringBuilder text = new StringBuilder("volume server of ")
                .append(server.path("node").asString())
                .append(": ");
        if (server.has("volumes")) {
            text.append(server.path("volumes").asLong())
                    .append(" volumes, ")
                    .append(bytes(server.path("used_bytes").asLong()))
                    .append(" used, ")
                    .append(bytes(server.path("free_bytes").asLong()))
                    .append(" free, read ")
                    .append(Math.round(server.path("read_seconds_ago").asDouble()))
                    .append(" s ago");
        } else {
            text.append("never read");
        }
        if (server.has("unread_because")) {
            text.append(" (now: ")
                    .append(server.path("unread_because").asString())
                    .append(')');
        }
        return text.append(
                        server.path("holds_volumes").asBoolean(false)
                                ? "; the node is not moved, as a volume of it is attached or may be"
                                : "")
                .toString();
    }

    /** So many of the volumes as a person reads, those first that are in use. */
    static List<String> volumes(JsonNode volumes) {
        List<String> lines = new ArrayList<>(StreamSupport.stream(volumes.spliterator(), false)
                .sorted(Comparator.comparing(volume -> !isInUse(volume)))
                .limit(MOST_LINES)
                .map(VolumeText::volume)
                .toList());
        if (volumes.size() > MOST_LINES) {
            lines.add("and " + (volumes.size() - MOST_LINES) + " volumes more; -o json tells all");
        }
        return lines;
    }

    private static String volume(JsonNode volume) {
        String name = "volume " + volume.path("volume").asString() + " on "
                + volume.path("node").asString();
        String use = isInUse(volume)
                ? use(volume) + ", "
                        + Math.round(volume.path("requests_per_second").asDouble()) + " requests/s"
                : "not attached";
        String health = volume.path("health").asString();
        return name + ": " + SizeText.print(volume.path("size_bytes").asLong()) + ", "
                + bytes(volume.path("used_bytes").asLong()) + " used, " + use
                + ("good".equals(health) ? "" : ", " + health);
    }

    private static boolean isInUse(JsonNode volume) {
        return volume.has("attached_by") || volume.path("readers").asInt(0) > 0;
    }

    private static String use(JsonNode volume) {
        int readers = volume.path("readers").asInt(0);
        String others = readers == 0 ? "" : "read by " + readers + (readers == 1 ? " client" : " clients");
        return volume.has("attached_by")
                ? "attached by " + volume.path("attached_by").asString() + (readers == 0 ? "" : ", " + others)
                : others;
    }

    private static String bytes(long bytes) {
        return bytes >= 10 * GIBIBYTE ? bytes / GIBIBYTE + " GiB" : bytes / MEBIBYTE + " MiB";
    }
}
