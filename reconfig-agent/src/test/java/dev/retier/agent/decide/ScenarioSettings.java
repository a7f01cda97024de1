package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.config.Timing;
import dev.retier.link.NodeId;
import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What the verb {@code policy} of a {@link Scenario} has set so far, and what holds without a word. */
final class ScenarioSettings {
    private final Map<String, String> settings = new HashMap<>();

    /** Sets some anew. */
    void set(Map<String, String> values) {
        settings.putAll(values);
    }

    /** The value of {@code key}. */
    String of(String key, String usual) {
        return settings.getOrDefault(key, usual);
    }

    /** The value of {@code key} as a time. */
    long nanos(String key, String usual) {
        return parse(of(key, usual));
    }

    /** What to obey. */
    Policy policy(SortedMap<SiteId, Scenario.Site> sites, Map<NodeId, Policy.Machine> machines) {
        DecisionRules rules = new DecisionRules(
                duration("take-history", "1000ms"),
                Double.parseDouble(of("threshold", "0.8")),
                Double.parseDouble(of("tolerance", "0.1")),
                Integer.parseInt(of("moves-per-hour", "100")),
                1.0 / 3,
                Double.parseDouble(of("max-in-transit-share", "1.0")),
                List.of());
        Mode mode = Mode.valueOf(of("mode", "act").toUpperCase(Locale.ROOT));
        List<SiteConfig> configs = sites.entrySet().stream()
                .map(entry -> site(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingInt(SiteConfig::priority))
                .toList();
        return new Policy(
                mode,
                rules,
                Timing.DEFAULTS.publishInterval(),
                duration("settle", "0ms"),
                configs,
                machines,
                duration("longest-move", "2000ms"),
                Optional.empty());
    }

    private SiteConfig site(SiteId id, Scenario.Site site) {
        return new SiteConfig(
                id,
                "site-" + id.value(),
                List.of(),
                site.priority(),
                site.guarantee(),
                bounds(id, "proxy-bounds"),
                bounds(id, "app-bounds"),
                null);
    }

    private TierBounds bounds(SiteId site, String key) {
        String usual = of(key, "1..9");
        String[] pair = of(site.value() + "/" + key, usual).split("\\.\\.", -1);
        return new TierBounds(Integer.parseInt(pair[0]), Integer.parseInt(pair[1]));
    }

    private Duration duration(String key, String usual) {
        return Duration.ofNanos(nanos(key, usual));
    }

    /** Nanoseconds of a text such as 200ms. */
    static long parse(String milliseconds) {
        return Long.parseLong(milliseconds.replace("ms", "")) * 1_000_000;
    }
}
