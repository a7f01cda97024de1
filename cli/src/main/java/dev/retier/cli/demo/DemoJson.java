package dev.retier.cli.demo;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Timing;
import dev.retier.load.measure.Burst;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.model.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A demo as JSON: what was run, and for each pass its bursts, its moves and its throughput; units at the end of the
 * keys. With it the same run can be made again, by nodes or in the simulator. Stateless.
 */
public final class DemoJson {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final double MILLIS_PER_SECOND = 1e3;

    private DemoJson() {}

    private record Document(Run run, List<PassOf> passes, double oracleSeconds) {}

    private record Run(
            String trace,
            int nodes,
            long requestsPerBurst,
            int clients,
            String connections,
            long seed,
            NodeCosts costs,
            Times timing,
            List<String> closures) {}

    /** All that {@link DemoCluster} sets otherwise than a cluster file without a word would. */
    private record Times(
            long sensitivityMillis, long publishIntervalMillis, long utilisationWindowMillis, long takeHistoryMillis) {}

    private record PassOf(
            String name,
            Split start,
            double elapsedSeconds,
            double answeredPerSecond,
            long failed,
            List<BurstOf> bursts,
            List<PassResult.EndedMove> moves,
            List<String> incidents) {}

    private record BurstOf(String kind, long answered, double fromSeconds, double toSeconds) {}

    /** The JSON text, with a line break at its end. */
    public static String of(DemoResult result) {
        DemoSettings settings = result.settings();
        Run run = new Run(
                result.trace(),
                settings.nodes(),
                settings.requestsPerBurst(),
                settings.clients(),
                settings.connections().name().toLowerCase(Locale.ROOT),
                settings.seed(),
                DemoSettings.COSTS,
                times(DemoCluster.timing(settings), DemoCluster.rules(settings)),
                settings.closures().stream().map(Closure::toString).toList());
        List<PassOf> passes = List.of(pass(result.rigid()), pass(result.reconfigured()));
        return MAPPER.writeValueAsString(new Document(run, passes, result.oracleSeconds())) + System.lineSeparator();
    }

    private static Times times(Timing timing, DecisionRules rules) {
        return new Times(
                timing.sensitivity().toMillis(),
                timing.publishInterval().toMillis(),
                timing.utilisationWindow().toMillis(),
                rules.takeHistory().toMillis());
    }

    private static PassOf pass(PassResult pass) {
        List<BurstOf> bursts = new ArrayList<>();
        for (int index = 0; index < pass.load().bursts().size(); index++) {
            Burst burst = pass.load().bursts().get(index);
            bursts.add(new BurstOf(
                    burst.kind().name().toLowerCase(Locale.ROOT),
                    burst.answered(),
                    burst.firstSentMillis() / MILLIS_PER_SECOND,
                    pass.endMillis(index) / MILLIS_PER_SECOND));
        }
        return new PassOf(
                pass.name(),
                pass.start(),
                pass.elapsedSeconds(),
                pass.perSecond(),
                pass.load().totals().failed(),
                bursts,
                pass.moves(),
                pass.incidents());
    }
}
