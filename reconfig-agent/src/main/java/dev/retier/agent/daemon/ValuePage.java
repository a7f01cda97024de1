package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.decide.Valuation;
import dev.retier.agent.view.RoleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What changes are worth, for programs and for people. Stateless. */
final class ValuePage {
    private ValuePage() {}

    static void show(ArrayNode out, Valuation valuation, ClusterConfig config) {
        valuation.best().forEach(change -> {
            ObjectNode one = out.addObject();
            steps(one.putArray("moves"), change.steps(), config);
            terms(one, change, config);
        });
    }

    static void steps(ArrayNode out, List<Valuation.Step> steps, ClusterConfig config) {
        steps.forEach(step -> out.addObject()
                .put("node", config.node(step.node()).name())
                .put("from", RoleText.of(step.from(), config))
                .put("to", RoleText.of(step.to(), config)));
    }

    /** By name; of sites without a promise none. */
    static void terms(ObjectNode out, Valuation.Change change, ClusterConfig config) {
        gains(out.putObject("gains"), change.gains(), config);
        gains(out.putObject("gains_if_it_lasts"), change.lasting(), config);
        out.put("stands", change.stands().name().toLowerCase(Locale.ROOT))
                .put("stands_sentence", change.stands().text());
        out.put("requests_must_exceed", hundredths(change.tolerance()));
        out.put("worth_it", change.isWorthIt());
        Optional<StayReason> refusal = change.refusal();
        refusal.ifPresent(why -> out.put("why_not", why.name()).put("why_not_sentence", sentence(why)));
    }

    /** Of one change, and not of the whole site. */
    private static String sentence(StayReason why) {
        return why == StayReason.NO_PRESSURE ? "the tier that takes is not above the take threshold" : why.sentence();
    }

    private static void gains(ObjectNode out, List<Double> gains, ClusterConfig config) {
        out.put("missing_members", hundredths(gains.getFirst()));
        ObjectNode promised = out.putObject("promised");
        List<SiteConfig> sites = config.sites();
        for (int at = 0; at < sites.size(); at++) {
            if (sites.get(at).guaranteeRequestsPerSecond() != null) {
                promised.put(sites.get(at).name(), hundredths(gains.get(1 + at)));
            }
        }
        out.put("requests", hundredths(gains.getLast()));
    }

    private static double hundredths(double gain) {
        return Math.round(gain * 100) / 100.0;
    }

    static String line(Valuation.Change change, ClusterConfig config) {
        return line(change.gains(), config) + " " + change.stands().text()
                + change.refusal().map(why -> ", not worth it: " + why).orElse(", worth it")
                + "; if this load lasted: " + line(change.lasting(), config);
    }

    private static String line(List<Double> gains, ClusterConfig config) {
        List<String> parts = new ArrayList<>();
        parts.add("missing members " + signed(gains.getFirst()));
        for (int at = 0; at < config.sites().size(); at++) {
            SiteConfig site = config.sites().get(at);
            if (site.guaranteeRequestsPerSecond() != null) {
                parts.add("promise of " + site.name() + " " + signed(gains.get(1 + at)));
            }
        }
        parts.add("requests " + signed(gains.getLast()));
        return String.join(", ", parts);
    }

    private static String signed(double gain) {
        return String.format(Locale.ROOT, "%+.2f", gain);
    }
}
