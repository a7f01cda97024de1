package dev.retier.cli.demo;

import dev.retier.agent.config.Mode;
import dev.retier.cli.demo.Pass.Surroundings;
import dev.retier.cli.terminal.Screen;
import dev.retier.link.ReservedPorts;
import dev.retier.load.drive.WarmUp;
import dev.retier.sim.model.Split;
import dev.retier.sim.model.Split.Stretch;
import dev.retier.traces.EventStream;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** The demo: the same trace against the best rigid split and then reconfigured. Used by one thread. */
public final class Demo {
    /**
     * Few objects, as in the thesis's single-file traces: a proxy that has just been moved fills its cache within a
     * second, so the demo shows reconfiguration and not cache misses.
     */
    private static final Catalogue CATALOGUE =
            new Catalogue(32, 0.8, new BodySizes.Fixed(4096), new BodySizes.Fixed(1024));

    /** A cold virtual machine is slow for its first second; without this only the rigid pass would pay for it. */
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    /** Frames are a quarter of a second apart; a log gets a line every two seconds. */
    private static final int FRAMES_PER_LINE = 8;

    private final DemoSettings settings;
    private final Screen screen;
    private final Optional<PageOpener> opener;

    /**
     * A demo that shows what happens on {@code out}.
     *
     * @param settings without problems
     * @param terminal whether {@code out} is a terminal that can be drawn on; otherwise it gets plain lines
     */
    public Demo(DemoSettings settings, PrintWriter out, boolean terminal) {
        this(settings, out, terminal, Optional.empty());
    }

    /** The same, and the page of an agent is opened. */
    Demo(DemoSettings settings, PrintWriter out, boolean terminal, Optional<PageOpener> opener) {
        this.settings = settings;
        this.screen = new Screen(out, terminal, FRAMES_PER_LINE);
        this.opener = opener;
    }

    /**
     * Runs both passes, each in its own folder below {@code directory}.
     *
     * @throws dev.retier.traces.TraceException when the trace cannot be used
     */
    public DemoResult run(Path directory) throws IOException, InterruptedException {
        try (Passes passes = begin()) {
            return new DemoResult(
                    settings,
                    passes.plan().trace().name(),
                    passes.rigid(directory),
                    passes.reconfigured(directory),
                    passes.oracleSeconds());
        }
    }

    /** Says what is to be shown, and warms up; close what is returned. */
    Passes begin() throws IOException, InterruptedException {
        Plan plan = settings.trace() == null ? bursts() : recorded(settings.trace());
        List<Stretch> stretches = plan.stretches();
        Split rigid = Split.bestRigid(settings.nodes(), DemoSettings.COSTS, stretches);
        double oracle = Split.oracleSeconds(settings.nodes(), DemoSettings.COSTS, stretches);
        screen.say(String.format(
                Locale.ROOT,
                "%s; %d nodes; best rigid split: %d proxies, %d apps (about %.0f s); then reconfigured with S = %d ms,"
                        + " T = %d ms (oracle: %.0f s)",
                plan.trace().name(),
                settings.nodes(),
                rigid.proxies(),
                rigid.apps(),
                rigid.seconds(DemoSettings.COSTS, stretches),
                settings.sensitivity().toMillis(),
                settings.history().toMillis(),
                oracle));
        WarmUp.run(WARM_UP);
        ReservedPorts ports = new ReservedPorts(DemoCluster.PORTS_PER_NODE * settings.nodes());
        Surroundings surroundings =
                new Surroundings(screen, ports, url -> opener.ifPresent(it -> screen.say(it.open(url))));
        return new Passes(new Pass(settings, plan.trace(), plan.loops(), surroundings), plan, rigid, oracle, ports);
    }

    /** Both begin in the best rigid split, each in a folder of its own. */
    record Passes(Pass pass, Plan plan, Split split, double oracleSeconds, ReservedPorts ports)
            implements AutoCloseable {
        @Override
        public void close() {
            ports.close();
        }

        PassResult rigid(Path directory) throws IOException, InterruptedException {
            return pass.run("rigid", split, Mode.OBSERVE, Files.createDirectory(directory.resolve("rigid")));
        }

        PassResult reconfigured(Path directory) throws IOException, InterruptedException {
            return pass.run("reconfigured", split, Mode.ACT, Files.createDirectory(directory.resolve("reconfigured")));
        }
    }

    /** What to send, how often, and what one sending of it all comes to. */
    record Plan(Trace trace, int loops, List<Stretch> pass) {
        List<Stretch> stretches() {
            return Collections.nCopies(loops, pass).stream()
                    .flatMap(List::stream)
                    .toList();
        }
    }

    /** As many pairs of bursts as fit into the time that the rigid pass should take, at least one. */
    private Plan bursts() {
        List<Stretch> pair =
                List.of(new Stretch(settings.requestsPerBurst(), 0), new Stretch(settings.requestsPerBurst(), 1));
        double pairSeconds =
                Split.bestRigid(settings.nodes(), DemoSettings.COSTS, pair).seconds(DemoSettings.COSTS, pair);
        int pairs = repeats(pairSeconds);
        BurstPlan plan = BurstPlan.of(settings.requestsPerBurst(), 2L * pairs, RequestClass.STATIC);
        List<Stretch> stretches =
                IntStream.range(0, pairs).boxed().flatMap(_ -> pair.stream()).toList();
        return new Plan(GeneratedTrace.alternating(plan, CATALOGUE, settings.seed()), 1, stretches);
    }

    /** The log as one stretch of its mix, repeated to fill the time that the rigid pass should take. */
    private Plan recorded(Path file) throws IOException {
        Double share = settings.dynamicShare();
        Trace trace = TraceFiles.of(List.of(file), new ReadOptions(null, share, Long.MAX_VALUE, true))
                .scan();
        Stretch mix = mix(trace);
        List<Stretch> once = List.of(mix);
        double seconds =
                Split.bestRigid(settings.nodes(), DemoSettings.COSTS, once).seconds(DemoSettings.COSTS, once);
        return new Plan(trace, repeats(seconds), once);
    }

    private static Stretch mix(Trace trace) throws IOException {
        long requests = 0;
        long dynamic = 0;
        try (EventStream events = trace.open()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                requests++;
                dynamic += event.requestClass() == RequestClass.DYNAMIC ? 1 : 0;
            }
        }
        return new Stretch(requests, (double) dynamic / (double) requests);
    }

    private int repeats(double secondsOnce) {
        return Math.clamp(Math.round(settings.rigidLength().toSeconds() / secondsOnce), 1, 10_000);
    }
}
