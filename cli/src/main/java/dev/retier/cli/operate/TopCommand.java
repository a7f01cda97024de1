package dev.retier.cli.operate;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.ProcessSignal;
import dev.retier.cli.TerminationSignal;
import dev.retier.cli.grid.Grid;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.top.Asked;
import dev.retier.cli.top.Glyphs;
import dev.retier.cli.top.TopPage;
import dev.retier.cli.top.TopView;
import java.io.IOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier top}. */
@Command(
        name = "top",
        description = "Watch the cluster on the whole terminal, as one agent sees it.",
        footer = {
            "`q` ends it. Where there is no terminal it prints one page and ends, as with --once. Times of the day are"
                    + " in UTC."
        })
public final class TopCommand implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final int COLUMNS = 80;
    private static final double NANOS_PER_SECOND = 1e9;
    /** No terminal has rows for more; an agent remembers ten times as many. */
    private static final String MOVES = "/v1/moves?limit=100";

    /** Ages are shown anew so often, whatever comes. */
    private static final long REDRAW_MILLIS = 1_000;

    private static final int END_OF_INPUT = -1;

    @ArgGroup(multiplicity = "1", exclusive = true)
    private AskedAgent asked = new AskedAgent();

    @Mixin
    private AgentAccessOptions access = new AgentAccessOptions();

    @Option(names = "--once", description = "Print one page and end.")
    private boolean isOnce;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = DurationConverter.class,
            description = "How often the agent is asked, 200ms or more (default: ${DEFAULT-VALUE}).")
    private Duration interval = Duration.ofSeconds(1);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private @Nullable TopView view;
    private String failure = "";
    private long shownNanos = System.nanoTime();
    /** Which agent answered last; of the thread that asks alone. */
    private int answered;

    /** What happens while it runs. */
    private sealed interface Event {}

    private record Told(TopView view) implements Event {}

    private record Failed(String why) implements Event {}

    private record Resized() implements Event {}

    private record Ended() implements Event {}

    @Override
    public Integer call() throws InterruptedException {
        if (interval.compareTo(SHORTEST) < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--interval: use 200ms or more");
        }
        AgentClient client = asked.client(access);
        if (isOnce || !WholeTerminal.isThere()) {
            once(client);
        } else {
            watch(client);
        }
        return ExitCode.OK.code();
    }

    private void once(AgentClient client) throws InterruptedException {
        take(read(client));
        int columns = WholeTerminal.isThere() ? WholeTerminal.blank().columns() : COLUMNS;
        TopView told = Objects.requireNonNull(view);
        Grid page = page(new Grid(TopPage.rowsOfAll(told, columns), columns));
        page.lines().forEach(spec.commandLine().getOut()::println);
        spec.commandLine().getOut().flush();
    }

    private static TopView read(AgentClient client) throws InterruptedException {
        return TopView.of(client.json(client.text("/v1/status")), client.json(client.text(MOVES)));
    }

    private void watch(AgentClient client) throws InterruptedException {
        BlockingQueue<Event> events = new LinkedBlockingQueue<>();
        ScheduledExecutorService asking = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("top-ask").factory());
        try (WholeTerminal terminal = WholeTerminal.take(spec.commandLine().getOut())) {
            TerminationSignal.onTermination(terminal::close);
            ProcessSignal.on("WINCH", () -> events.add(new Resized()));
            Thread keys = Thread.ofPlatform().daemon().name("top-keys").start(() -> keys(events));
            try {
                var _ = asking.scheduleWithFixedDelay(
                        () -> ask(client, events), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
                show(terminal, events);
            } finally {
                keys.interrupt();
                asking.shutdownNow();
            }
        }
    }

    private void show(WholeTerminal terminal, BlockingQueue<Event> events) throws InterruptedException {
        Grid size = WholeTerminal.blank();
        boolean isEnded = false;
        while (!isEnded) {
            terminal.show(page(new Grid(size.rows(), size.columns())));
            Event event = events.poll(REDRAW_MILLIS, TimeUnit.MILLISECONDS);
            switch (event) {
                case null -> {} // the page says how old it is
                case Told(TopView told) -> take(told);
                case Failed(String why) -> failure = why;
                case Resized _ -> size = WholeTerminal.blank();
                case Ended _ -> isEnded = true;
            }
        }
    }

    private void take(TopView told) {
        view = told;
        failure = "";
        shownNanos = System.nanoTime();
    }

    private Grid page(Grid blank) {
        double age = (System.nanoTime() - shownNanos) / NANOS_PER_SECOND;
        boolean isLate = failure.isEmpty() && age > 2 * interval.toNanos() / NANOS_PER_SECOND + 1;
        return TopPage.of(view, new Asked(age, isLate ? "no answer since" : failure), glyphs(), blank);
    }

    private Glyphs glyphs() {
        return Glyphs.of(Charset.forName(System.getProperty("stdout.encoding", "UTF-8")));
    }

    private static void keys(BlockingQueue<Event> events) {
        try {
            int key = System.in.read();
            while (key != END_OF_INPUT && key != 'q' && key != 'Q') {
                key = System.in.read();
            }
            events.add(new Ended());
        } catch (IOException gone) {
            events.add(new Ended()); // without its terminal it has nothing to do
        }
    }

    /** The one that answered last is asked first: one that is gone may take seconds to be found so. */
    private void ask(AgentClient client, BlockingQueue<Event> events) {
        List<AgentClient> agents = client.each();
        String why = "";
        try {
            for (int i = 0; i < agents.size(); i++) {
                int at = (answered + i) % agents.size();
                try {
                    events.add(new Told(read(agents.get(at))));
                    answered = at;
                    return;
                } catch (CommandFailure e) {
                    why = String.valueOf(e.getMessage());
                }
            }
            events.add(new Failed(agents.size() == 1 ? why : "no agent answers at any of " + client.names()));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
