package dev.retier.cli.load;

import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.RetierCommand;
import dev.retier.cli.TerminationSignal;
import dev.retier.cli.terminal.Screen;
import dev.retier.cli.view.SiteLines;
import dev.retier.cli.view.SiteRow;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.drive.LoadSnapshot;
import dev.retier.load.drive.StartSignal;
import dev.retier.load.drive.WarmUp;
import dev.retier.load.record.RequestFile;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.target.source.TierPoll;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** One run of load on one site or several, from the warm-up to the published result. Used by one thread. */
final class LoadSession {
    private static final Duration FRAME_INTERVAL = Duration.ofMillis(250);
    private static final Duration LINE_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_PUBLISHING = Duration.ofSeconds(30);
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final CommandSpec spec;
    private final RunOptions options;

    LoadSession(CommandSpec spec, RunOptions options) {
        this.spec = spec;
        this.options = options;
    }

    /**
     * Loads {@code sites} until all of their runs are over, or the process is asked to end, and publishes the results.
     *
     * @throws dev.retier.load.LoadException when a run cannot start
     */
    ExitCode run(List<SiteLoad> sites) throws InterruptedException, IOException {
        if (Screen.isTerminal() && !((RetierCommand) spec.root().userObject()).debug()) {
            Logging.errorsOnly(); // the view shows what happens, and its place is its own
        }
        StartSignal signal = options.startSignal();
        warmUp();
        CountDownLatch published = new CountDownLatch(1);
        try (RequestFile requests = options.results().newRequestFile()) {
            return run(sites, signal, requests, published);
        } finally {
            published.countDown(); // the process may end now: all files are whole
        }
    }

    private void warmUp() throws InterruptedException {
        if (!options.warmUp().isZero()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("retier: warming up for " + options.warmUp().toMillis() / MILLIS_PER_SECOND
                    + " s against a server of its own (--warm-up)");
            err.flush();
            WarmUp.run(options.warmUp());
        }
    }

    private ExitCode run(
            List<SiteLoad> sites, StartSignal signal, @Nullable RequestFile requests, CountDownLatch published)
            throws InterruptedException, IOException {
        List<LoadRun> runs = LoadRun.startAll(sites.stream().map(SiteLoad::plan).toList(), signal, requests);
        TerminationSignal.onTermination(() -> {
            runs.forEach(LoadRun::stop);
            awaitQuietly(published);
        });
        List<Optional<TierPoll>> tiers = sites.stream().map(LoadSession::tiers).toList();
        try {
            show(sites, runs);
            List<LoadResult> results = new ArrayList<>();
            for (int i = 0; i < sites.size(); i++) {
                results.add(judged(sites.get(i), runs.get(i).result(), tiers.get(i)));
            }
            return options.results().publish(spec, NamedRun.bySite(results));
        } finally {
            tiers.forEach(poll -> poll.ifPresent(TierPoll::close));
            runs.forEach(LoadRun::close);
        }
    }

    private static Optional<TierPoll> tiers(SiteLoad site) {
        return site.agents().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        TierPoll.start(site.agents(), site.access(), site.plan().site()));
    }

    private static LoadResult judged(SiteLoad site, LoadResult result, Optional<TierPoll> tiers) {
        LoadResult drawn = tiers.map(poll -> result.withTiers(poll.history())).orElse(result);
        return site.guarantee() == null ? drawn : drawn.judgedBy(site.guarantee());
    }

    private void show(List<SiteLoad> sites, List<LoadRun> runs) throws InterruptedException {
        boolean terminal = Screen.isTerminal();
        Screen screen = new Screen(spec.commandLine().getErr(), terminal, 1);
        for (LoadRun run : runs) {
            while (!run.await(terminal ? FRAME_INTERVAL : LINE_INTERVAL)) {
                List<SiteRow> rows = IntStream.range(0, runs.size())
                        .mapToObj(
                                i -> row(sites.get(i).plan().site(), runs.get(i).snapshot()))
                        .toList();
                screen.show(SiteLines.drawn(rows), SiteLines.plain(rows));
            }
        }
    }

    private static SiteRow row(String site, LoadSnapshot now) {
        return new SiteRow(
                site,
                now.elapsedMillis() / MILLIS_PER_SECOND,
                now.progressShare(),
                now.staticPerSecond(),
                now.dynamicPerSecond(),
                now.lastLatency().p50Nanos() / NANOS_PER_MILLI,
                now.lastLatency().p99Nanos() / NANOS_PER_MILLI,
                now.silentMillis() / MILLIS_PER_SECOND,
                now.totals().failed(),
                now.totals().dropped(),
                now.targets().targets().size(),
                now.openStreams(),
                now.eventsPerSecond());
    }

    /** The process ends when this returns; until then the main thread goes on, and publishes what there is. */
    private static void awaitQuietly(CountDownLatch published) {
        try {
            var _ = published.await(LONGEST_PUBLISHING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
