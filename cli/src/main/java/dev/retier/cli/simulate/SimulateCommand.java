package dev.retier.cli.simulate;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.OutputOption;
import dev.retier.cli.options.WritableFile;
import dev.retier.cli.trace.options.TraceFailures;
import dev.retier.config.ConfigException;
import dev.retier.link.NodeId;
import dev.retier.report.Table;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.page.ComparisonPage;
import dev.retier.sim.run.Comparison;
import dev.retier.sim.run.FewestNodes;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Demand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier simulate}. */
@Command(
        name = "simulate",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "What if: this cluster file under this load, in virtual time, with the agents' own decisions,"
                + " beside roles that never change, more nodes, and the best that could be done.",
        footer = {
            "",
            "Examples:",
            "  retier simulate conf/cluster.yaml --make bursts --burst 16384 --html what-if.html",
            "  retier simulate conf/cluster.yaml access.log.gz --speed 10 --nodes 12",
            "  retier simulate two-sites.yaml shop=shop.csv blog=wc_day66_1.gz --find-fewest-nodes",
            "",
            "The same arguments give the same figures, on every machine. What the model leaves out is in"
                    + " simulator/README.md."
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int MOST_NODES = 256;

    @Parameters(index = "0", paramLabel = "CONFIG", description = "The cluster file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "TRACE",
            description = {
                "Recorded traces, of any form that retier load reads; SITE=TRACE says whose requests they are. Of a"
                        + " trace without a site, the bursts are for the sites in turn. None: a made one."
            })
    private List<String> traces = List.of();

    @Mixin
    private SimulatedLoadOptions load = new SimulatedLoadOptions();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "So many nodes, and not those of the file; each tier begins with its share.")
    private @Nullable Integer nodes;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "A server of this kind on each node, and not those of the file: web-node or httpd, with the"
                    + " delays that were measured of it.")
    private @Nullable String kind;

    @Option(
            names = "--costs",
            paramLabel = "COSTS",
            converter = NodeCostsConverter.class,
            defaultValue = "95000:363:363:97:1570",
            description = {
                "What a node can do per second, and what it spends on a static request from its cache, on one at its"
                        + " origin, on forwarding one, and on a dynamic one (default: ${DEFAULT-VALUE}, microseconds of"
                        + " httpd nodes that have a tenth of a core each)."
            })
    private NodeCosts costs = new NodeCosts(95_000, 363, 363, 97, 1570);

    @Option(
            names = "--capacity",
            paramLabel = "NODE=FACTOR",
            description = "A node that can do so many times as much as the others. Repeat it.")
    private Map<String, Double> factors = Map.of();

    @Option(
            names = "--look-cost",
            paramLabel = "UNITS",
            defaultValue = "0",
            description = "What a look takes from the server beside the agent (default: ${DEFAULT-VALUE}).")
    private double lookUnits;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "1s",
            description = "A guarantee is judged over this, a multiple of 100ms (default: ${DEFAULT-VALUE}).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(
            names = "--find-fewest-nodes",
            description = "Search how few nodes keep every guarantee: at best, reconfigured, and rigid.")
    private boolean isSearch;

    @Option(
            names = "--keep",
            paramLabel = "SHARE",
            defaultValue = "0.97",
            description = "With --find-fewest-nodes: in this share of the intervals (default: ${DEFAULT-VALUE}).")
    private double keptShare;

    @Option(
            names = "--most-nodes",
            paramLabel = "N",
            defaultValue = "32",
            description = "With --find-fewest-nodes: give up beyond (default: ${DEFAULT-VALUE}).")
    private int mostNodes;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with charts that stands on its own.")
    private @Nullable Path html;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return TraceFailures.guard(() -> {
            if (html != null) {
                WritableFile.require("--html", html);
            }
            Setup setup = setup(config());
            if (isSearch) {
                output.print(spec, search(setup));
            } else {
                compare(setup);
            }
            return ExitCode.OK;
        });
    }

    private Table search(Setup setup) {
        if (html != null) {
            throw new IllegalArgumentException("--html shows a comparison; leave out --find-fewest-nodes");
        }
        requireNodes("--most-nodes", mostNodes);
        return FewestNodes.search(setup, new FewestNodes.Wish(keptShare, mostNodes));
    }

    private void compare(Setup setup) throws IOException {
        Comparison comparison = Comparison.of(setup);
        if (html != null) {
            String name = setup.demands().stream()
                    .map(demand -> demand.workload().name())
                    .distinct()
                    .collect(Collectors.joining(", "));
            Files.writeString(html, ComparisonPage.html(comparison, name));
        }
        output.print(spec, comparison.table());
    }

    private ClusterConfig config() {
        try {
            ClusterConfig read = ConfigFile.read(file);
            ClusterConfig config = kind == null ? read : MadeCluster.ofKind(read, kind(kind));
            if (nodes == null) {
                return config;
            }
            requireNodes("--nodes", nodes);
            return MadeCluster.resized(config, nodes);
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    /** Of the others nobody has measured the delays. */
    private static ServerKind kind(String word) {
        return Stream.of(ServerKind.WEB_NODE, ServerKind.HTTPD)
                .filter(known -> known.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--kind " + word + ": must be web-node or httpd"));
    }

    private static void requireNodes(String option, int count) {
        if (count < 2 || count > MOST_NODES) {
            throw new IllegalArgumentException(option + " " + count + ": must be 2 to " + MOST_NODES);
        }
    }

    private Setup setup(ClusterConfig config) {
        List<Demand> demands = load.demands(config, traces);
        if (!(lookUnits >= 0) || Double.isInfinite(lookUnits)) {
            throw new IllegalArgumentException("--look-cost " + lookUnits + ": must be 0 or more");
        }
        Setup usual = Setup.of(config, costs, demands);
        return new Setup(
                config,
                costs,
                factors(config),
                demands,
                new Cluster.Settings(Delays.MEASURED, lookUnits, load.seed()),
                interval,
                usual.limit());
    }

    private Map<NodeId, Double> factors(ClusterConfig config) {
        Map<NodeId, Double> byId = new HashMap<>();
        factors.forEach((name, factor) -> {
            NodeConfig node = config.nodeNamed(name)
                    .orElseThrow(() ->
                            new IllegalArgumentException("--capacity " + name + ": no node of the file has this name"));
            if (!(factor > 0) || Double.isInfinite(factor)) {
                throw new IllegalArgumentException("--capacity " + name + "=" + factor + ": must be above 0");
            }
            byId.put(node.id(), factor);
        });
        return byId;
    }
}
