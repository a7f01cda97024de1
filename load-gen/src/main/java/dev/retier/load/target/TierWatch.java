package dev.retier.load.target;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows a site's tiers through an agent's answers to {@code GET /v1/status}: a node counts for the role that it
 * serves. Keeps the first {@link #MAX_CHANGES} changes. One thread at a time.
 */
public final class TierWatch {
    /** More than a chart can show. */
    public static final int MAX_CHANGES = 10_000;

    private final String site;
    private final List<TierHistory.Sizes> sizes = new ArrayList<>();
    private final List<TierHistory.Move> moves = new ArrayList<>();
    private Map<String, String> roles = Map.of();

    /** Nothing is known yet of {@code site}. */
    public TierWatch(String site) {
        this.site = site;
    }

    /** An agent's answer {@code seconds} after the start; says whether it was one, else it is ignored. */
    public boolean offer(double seconds, String statusJson) {
        JsonNode nodes;
        try {
            nodes = JsonMapper.shared().readTree(statusJson).path("nodes");
        } catch (JacksonException e) {
            return false;
        }
        if (!nodes.isArray()) {
            return false;
        }
        Map<String, String> now = new TreeMap<>(roles);
        for (JsonNode node : nodes) {
            String role = role(node);
            if (!role.isEmpty()) {
                now.put(node.path("node").asString(""), role);
            }
        }
        take(seconds, now);
        return true;
    }

    /** What has been seen. */
    public TierHistory history() {
        return new TierHistory(sizes, moves);
    }

    /** The role it serves; nothing while it is on its way or unknown, and then its last one stands. */
    private static String role(JsonNode node) {
        if (!node.has("role")) {
            return "";
        }
        boolean active = !"ordered".equals(node.path("phase").asString(""));
        boolean serving = node.path("serving").asBoolean(true);
        return active ? serving ? node.path("role").asString("") : "down" : "";
    }

    private void take(double seconds, Map<String, String> now) {
        now.forEach((node, role) -> {
            String before = roles.get(node);
            if (before != null && !before.equals(role) && moves.size() < MAX_CHANGES) {
                moves.add(new TierHistory.Move(seconds, node, before, role));
            }
        });
        roles = now;
        int proxies = count("/proxy");
        int apps = count("/app");
        TierHistory.Sizes last = sizes.isEmpty() ? null : sizes.getLast();
        boolean changed = last == null || last.proxies() != proxies || last.apps() != apps;
        if (changed && sizes.size() < MAX_CHANGES) {
            sizes.add(new TierHistory.Sizes(sizes.isEmpty() ? 0 : seconds, proxies, apps));
        }
    }

    private int count(String tier) {
        return (int)
                roles.values().stream().filter(role -> role.equals(site + tier)).count();
    }
}
