package dev.retier.cli.simulate;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.cli.options.HelpHeading;
import dev.retier.cli.trace.options.MadeTraceOptions;
import dev.retier.cli.trace.options.ShapeOptions;
import dev.retier.cli.trace.options.TraceOptions;
import dev.retier.cli.trace.options.TracePaths;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Workload;
import dev.retier.traces.Trace;
import dev.retier.traces.file.TraceFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who asks a simulated cluster for what. */
@HelpHeading("The load")
public final class SimulatedLoadOptions {
    private static final int MOST_CLIENTS = 10_000;

    /** What kept connections do as proxies come. */
    enum Staying {
        SPREAD,
        STAY
    }

    @Mixin
    private TraceOptions.ReadingOptions reading = new TraceOptions.ReadingOptions();

    @Mixin
    private MadeTraceOptions made = new MadeTraceOptions();

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "64",
            description = "Closed loop: clients of each trace, each with one request at a time"
                    + " (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--connections",
            paramLabel = "HOW",
            defaultValue = "spread",
            description = "Of a closed loop, all kept alive: spread (evenly whenever the proxies change), stay (where"
                    + " they are, until a proxy lets them go) (default: ${DEFAULT-VALUE}).")
    private Staying connections = Staying.SPREAD;

    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            description = "Open loop: at the times of the trace, so many times as fast; 1 as recorded.")
    private @Nullable Double speed;

    long seed() {
        return made.seed();
    }

    /**
     * What is asked for.
     *
     * @param traces as given, each {@code SITE=TRACE} or a trace alone; none: a made one
     * @throws IllegalArgumentException for options that do not fit
     */
    List<Demand> demands(ClusterConfig config, List<String> traces) {
        if (speed == null && (clients < 1 || clients > MOST_CLIENTS)) {
            throw new IllegalArgumentException("--clients " + clients + ": must be 1 to " + MOST_CLIENTS);
        }
        if (speed != null && !(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("--speed " + speed + ": must be above 0");
        }
        Clients who = clients();
        if (!traces.isEmpty() && made.isNamed()) {
            throw new IllegalArgumentException("--make and a trace exclude each other; give one of them");
        }
        return traces.isEmpty() ? made(config, who) : recorded(config, traces, who);
    }

    private Clients clients() {
        if (speed != null) {
            return Clients.open(speed);
        }
        return connections == Staying.STAY ? Clients.staying(clients) : Clients.closed(clients);
    }

    private List<Demand> made(ClusterConfig config, Clients who) {
        List<Trace> parts = made.parts();
        int sites = config.sites().size();
        List<Demand> demands = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            int[] whose = parts.size() > 1 ? new int[] {part % sites} : inTurn(sites);
            demands.add(demand(parts.get(part), whose, who));
        }
        return demands;
    }

    private List<Demand> recorded(ClusterConfig config, List<String> traces, Clients who) {
        Map<String, List<String>> bySite = new LinkedHashMap<>();
        for (String text : traces) {
            String[] pair = text.split("=", 2);
            boolean isNamed = pair.length == 2
                    && config.sites().stream().anyMatch(site -> site.name().equals(pair[0]));
            bySite.computeIfAbsent(isNamed ? pair[0] : "", _ -> new ArrayList<>())
                    .add(isNamed ? pair[1] : text);
        }
        List<Demand> demands = new ArrayList<>();
        bySite.forEach((site, names) -> {
            List<Path> paths = TracePaths.of(names);
            TraceFiles files = TraceFiles.of(paths, reading.options());
            Trace trace = files.isOnce() ? files : files.scan();
            demands.add(demand(trace, whose(config, site), who));
        });
        return demands;
    }

    private static int[] whose(ClusterConfig config, String site) {
        if (site.isEmpty()) {
            return inTurn(config.sites().size());
        }
        List<String> names = config.sites().stream().map(SiteConfig::name).toList();
        return new int[] {names.indexOf(site)};
    }

    private static int[] inTurn(int sites) {
        return IntStream.range(0, sites).toArray();
    }

    private Demand demand(Trace trace, int[] sites, Clients who) {
        long limit = made.limit() == 0 ? Long.MAX_VALUE : made.limit();
        return new Demand(Workload.read(shape.shape(trace, made.seed()), sites, limit), who);
    }
}
