package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.decide.Valuation;
import dev.retier.agent.view.RoleText;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a shadow has found out, for programs and as a line for people. Stateless. */
final class ShadowPage {
    private static final double NANOS_PER_SECOND = 1e9;

    private ShadowPage() {}

    static void show(ObjectNode out, Shadow shadow, ClusterConfig config, long nowNanos) {
        for (Shadow.Kind kind : Shadow.Kind.values()) {
            out.put(kind.word(), shadow.count(kind));
        }
        ArrayNode differences = out.putArray("differences");
        shadow.differences().forEach(found -> show(differences.addObject(), found, config, nowNanos));
    }

    private static void show(ObjectNode out, Shadow.Comparison found, ClusterConfig config, long nowNanos) {
        out.put("kind", found.kind().word());
        out.put("sentence", found.kind().sentence());
        out.put("site", RoleText.site(found.site(), config));
        out.put("seconds_ago", Math.round((nowNanos - found.atNanos()) / NANOS_PER_SECOND));
        ValuePage.steps(out.putArray("moves"), found.moves(), config);
        if (found.wantedNanos() > 0) {
            out.put("wanted_seconds", seconds(found.wantedNanos()));
        }
        ObjectNode own = out.putObject("own");
        own.put("reason", found.own().reasonWord());
        own.put("sentence", found.own().sentence());
        own.put("detail", found.own().detail());
        if (found.own() instanceof Decision.Change change) {
            ValuePage.steps(own.putArray("moves"), Valuation.steps(change), config);
        }
        found.value().ifPresent(value -> ValuePage.terms(out.putObject("value"), value, config));
    }

    /** With terms in numbers. */
    static String line(Shadow.Comparison found, ClusterConfig config) {
        String instead = found.kind() == Shadow.Kind.NOT_WANTED && found.own() instanceof Decision.Change change
                ? ", but would order " + moves(Valuation.steps(change), config)
                : "";
        String wanted = found.wantedNanos() > 0 ? " (for " + seconds(found.wantedNanos()) + " s)" : "";
        String worth = found.value()
                .map(value -> "; by its rules: " + ValuePage.line(value, config))
                .orElse("");
        return RoleText.site(found.site(), config) + ": " + moves(found.moves(), config) + ": "
                + found.kind().sentence() + wanted + instead + ": "
                + found.own().sentence() + " (" + found.own().reasonWord() + "; "
                + found.own().detail() + worth + ")";
    }

    private static double seconds(long nanos) {
        return Math.round(nanos / NANOS_PER_SECOND * 10) / 10.0;
    }

    private static String moves(List<Valuation.Step> steps, ClusterConfig config) {
        return steps.stream()
                .map(step -> config.node(step.node()).name() + " from " + RoleText.of(step.from(), config) + " to "
                        + RoleText.of(step.to(), config))
                .collect(Collectors.joining(", "));
    }
}
