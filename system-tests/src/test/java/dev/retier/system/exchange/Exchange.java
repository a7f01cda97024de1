package dev.retier.system.exchange;

import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Exchanges of two ends, each over whatever provider it is started with ({@code -Dretier.rdma.provider=native}, or
 * soft-iwarp). Exit code 0 if everything was right, 1 if something was not, which is told in a line each.
 *
 * <pre>
 * server --address IP --port N --what NAMES [--times T] [options]    prints "listening on IP:PORT"
 * client --address IP --port N --what NAMES [--times T] [options]
 * check  FILES                                                       logs of all clients of "words"
 * </pre>
 *
 * <p>{@code NAMES} are one or more, with commas, each over a connection of its own, all of them T times:
 * <ul>
 *   <li>{@code reads}: the client asks for a key, reads, and says so
 *   <li>{@code server-first}: likewise, but the server tells its key unasked, as DiSNI's ReadServer does
 *   <li>{@code verbs}: likewise, and both poll, as DiSNI's VerbsServer and VerbsClient do
 *   <li>{@code messages}: {@code --count} messages there and back, as DiSNI's SendRecvClient
 *   <li>{@code writes}: {@code --count} writes of 1 to {@code --most} bytes, {@code --under-way} at once, by each end;
 *       {@code --seed}
 *   <li>{@code sizes}: messages, writes and reads of 0 to 8 MiB, or to {@code --most}, by each end
 *   <li>{@code words}, alone: {@code --clients} processes, each with a {@code --client} number from 1 on and a
 *       {@code --log} file, change one word of the server's by compare-and-swap until it was changed {@code --changes}
 *       times; {@code check} then says whether the history is linearizable. The clients run on one machine, by whose
 *       clock they log
 * </ul>
 *
 * {@code --patience} is how many seconds each end waits for one thing. Options that change an exchange are to be the
 * same at both ends.
 */
public final class Exchange {
    private static final Map<String, Part> PARTS = Map.of(
            "reads", new Reads(false, false),
            "server-first", new Reads(true, false),
            "verbs", new Reads(true, true),
            "messages", new Messages(),
            "writes", new Writes(),
            "sizes", new Sizes());
    /** All exchanges that take two ends. */
    static final List<String> NAMES = List.of("reads", "server-first", "verbs", "messages", "writes", "sizes");

    private static final String WORDS = "words";
    private static final int BACKLOG = 16;

    private final PrintStream out;
    private int failures;

    private Exchange(PrintStream out) {
        this.out = out;
    }

    /** Runs one end, and exits. */
    public static void main(String... arguments) {
        System.exit(run(System.out, arguments));
    }

    /** Runs one end, telling {@code out} how it goes. Returns the exit code. */
    static int run(PrintStream out, String... arguments) {
        Exchange exchange = new Exchange(out);
        exchange.attempt("the exchange", () -> exchange.start(arguments));
        return exchange.failures == 0 ? 0 : 1;
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws IOException, Wrong;
    }

    /** Whatever goes wrong is told in one line and counted. */
    private void attempt(String what, Attempt attempt) {
        try {
            attempt.run();
        } catch (Wrong e) {
            failures++;
            out.println("FAILED " + what + ": " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            failures++;
            out.println("FAILED " + what + ": " + e);
        }
    }

    private void start(String... arguments) throws IOException, Wrong {
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "server" -> serve(Options.parse(arguments));
            case "client" -> ask(Options.parse(arguments));
            case "check" -> check(Arrays.stream(arguments).skip(1).map(Path::of).toList());
            default -> throw new Wrong("the first argument is one of server, client, check");
        }
    }

    private void check(List<Path> logs) throws IOException, Wrong {
        out.println(WordHistory.read(logs).check());
    }

    /** One exchange, over a connection of its own. */
    private record Run(String name, Part part, int number) {
        String title() {
            return name + ", connection " + number;
        }
    }

    private static List<Run> runs(Options options) throws Wrong {
        List<Run> runs = new ArrayList<>();
        int times = options.number("times", 1, 1);
        for (int i = 0; i < times; i++) {
            for (String name : options.what()) {
                Part part = PARTS.get(name);
                if (part == null) {
                    throw new Wrong("unknown exchange " + name + "; there are " + NAMES + ", and " + WORDS);
                }
                runs.add(new Run(name, part, runs.size() + 1));
            }
        }
        return runs;
    }

    private void serve(Options options) throws IOException, Wrong {
        Providers.use(Providers.chosen());
        boolean isWords = options.what().equals(List.of(WORDS));
        List<Run> runs = isWords ? List.of() : runs(options);
        try (Events events = new Events(options.patience())) {
            RdmaCmId listener = events.newId();
            listener.bindAddr(options.address());
            listener.listen(BACKLOG);
            InetSocketAddress here = (InetSocketAddress) listener.getSource();
            out.println("listening on " + here.getAddress().getHostAddress() + ":" + here.getPort());
            if (isWords) {
                out.println(Words.serve(events, listener, options));
            }
            for (Run run : runs) {
                Shape shape = run.part().shape(options);
                attempt(run.title(), () -> {
                    try (Session session = Session.accept(events, listener, shape, null)) {
                        String done = run.part().serve(session, options);
                        session.disconnect(true);
                        out.println(run.title() + ": ok, " + done);
                    }
                });
            }
            listener.destroyId();
        }
    }

    private void ask(Options options) throws IOException, Wrong {
        Providers.use(Providers.chosen());
        try (Events events = new Events(options.patience())) {
            if (options.what().equals(List.of(WORDS))) {
                out.println(Words.ask(events, options));
                return;
            }
            for (Run run : runs(options)) {
                Shape shape = run.part().shape(options);
                attempt(run.title(), () -> {
                    try (Session session = Session.connect(events, options.address(), shape)) {
                        String done = run.part().ask(session, options);
                        session.disconnect(false);
                        out.println(run.title() + ": ok, " + done);
                    }
                });
            }
        }
    }
}
