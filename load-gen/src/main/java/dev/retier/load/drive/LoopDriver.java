package dev.retier.load.drive;

import dev.retier.load.measure.RunMeter;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.Target;
import dev.retier.load.target.TargetHealth;
import dev.retier.traces.play.Assignment;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The clients of one event loop. Everything but the constructor and {@link #meter()} happens on that loop. */
final class LoopDriver {
    private static final long LONGEST_TICK_NANOS = 100_000_000L;
    private static final long SHORTEST_TICK_NANOS = 2_000_000L;

    private final RunContext context;
    private final EventLoop loop;
    private final Connector connector;
    private final Runnable onDone;
    private final Account account;
    private final TargetHealth health = new TargetHealth();
    private final List<Client> clients = new ArrayList<>();
    private final WorkSource work;
    private final long thinkNanos;
    private @Nullable Future<?> ticking;
    private boolean ending;
    private long graceEndNanos;
    private int clientsLeft;

    LoopDriver(RunContext context, EventLoop loop, Transport transport, WorkSource.Factory work, Runnable onDone) {
        this.context = context;
        this.loop = loop;
        this.onDone = onDone;
        this.account = new Account(context.plan(), context.requests());
        this.work = work.newSource(context, loop, account);
        int timeoutMillis = Math.toIntExact(context.plan().requestTimeout().toMillis());
        this.connector = new Connector(transport.newBootstrap(loop, timeoutMillis), context.tls(), context.causes());
        this.thinkNanos = switch (context.plan().pacing()) {
            case Pacing.ClosedLoop closed -> closed.thinkNanos();
            case Pacing.Sessions sessions -> sessions.thinkNanos();
            case Pacing.OpenLoop _ -> 0;
        };
    }

    RunMeter meter() {
        return account.meter();
    }

    Account account() {
        return account;
    }

    RunContext context() {
        return context;
    }

    EventLoop loop() {
        return loop;
    }

    Connector connector() {
        return connector;
    }

    TargetHealth health() {
        return health;
    }

    WorkSource work() {
        return work;
    }

    boolean isEnding() {
        return ending;
    }

    /** Starts the clients with the numbers {@code first}, {@code first + step}, ... below {@code count}. */
    void start(int first, int step, int count) {
        loop.execute(() -> {
            for (int number = first; number < count; number += step) {
                clients.add(new Client(number, this));
            }
            clientsLeft = clients.size();
            if (clientsLeft == 0) {
                onDone.run();
                return;
            }
            context.cpu().follow(Thread.currentThread());
            startTicking();
            clients.forEach(Client::next);
            work.start();
        });
    }

    /** Lets waiting clients look at the new list now; busy ones do so after their answer. */
    void targetsChanged() {
        loop.execute(() -> {
            health.retain(context.desk().board().assignment().targets());
            clients.forEach(Client::wake);
        });
    }

    /** No new requests from now on; those in flight have the grace of the plan. */
    void end() {
        loop.execute(() -> {
            ending = true;
            work.end(context.nowNanos());
            graceEndNanos = context.nowNanos() + context.plan().stopGrace().toNanos();
            clients.forEach(Client::wake);
        });
    }

    /** Pause of a client after a good answer. */
    long thinkNanos() {
        return thinkNanos;
    }

    void clientDone() {
        clientsLeft--;
        if (clientsLeft == 0) {
            if (ticking != null) {
                ticking.cancel(false);
            }
            account.flush();
            onDone.run();
        }
    }

    /**
     * Where client {@code number} should send its next request: the target it is assigned to; while that one rests,
     * the one it is connected to already, or the next that does not rest. Null when all rest.
     */
    @Nullable
    Destination choose(int number, @Nullable Target connected, long nowNanos) {
        TargetDesk.Board board = context.desk().board();
        Assignment<Target> assignment = board.assignment();
        Target home = assignment.targetOf(number);
        if (home.equals(connected) || health.claim(home, nowNanos)) {
            return board.destination(home);
        }
        if (connected != null && board.lists(connected)) {
            return board.destination(connected);
        }
        List<Target> all = assignment.targets();
        for (int i = 0; i < all.size(); i++) {
            Target other = all.get((number + i) % all.size());
            if (health.claim(other, nowNanos)) {
                return board.destination(other);
            }
        }
        return null;
    }

    /** Whether a connection ends with an answer; what the server ends of its own accord is no place to come back to. */
    boolean isLast(int number, boolean keepsAlive) {
        if (!keepsAlive) {
            context.desk().letGo(number);
        }
        return !keepsAlive || context.plan().connections() == Connections.NEW;
    }

    /** How long a client that found all targets resting should wait. */
    long restNanos(long nowNanos) {
        return Math.max(
                SHORTEST_TICK_NANOS,
                health.nanosUntilAny(context.desk().board().assignment().targets(), nowNanos));
    }

    private void startTicking() {
        long tickNanos =
                Math.clamp(context.plan().requestTimeout().toNanos() / 10, SHORTEST_TICK_NANOS, LONGEST_TICK_NANOS);
        ticking = loop.scheduleWithFixedDelay(this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS);
    }

    private void tick() {
        long nowNanos = context.nowNanos();
        account.flush();
        boolean graceOver = ending && nowNanos >= graceEndNanos;
        for (Client client : clients) {
            if (graceOver) {
                client.drop(nowNanos);
            } else {
                client.checkDeadline(nowNanos);
            }
        }
    }
}
