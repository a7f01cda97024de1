package dev.retier.volume.worlds;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server and its clients by seed: processes are killed, machines lose their power, connections end for each end at
 * another time, messages are late or held up in one direction, disks are slow, stuck or full, or rot, a force fails
 * once, volumes are taken by force, read beside their writers, kept by snapshots and rolled back. All of it is what
 * ships, but for machines, disks, network and time. Then the faults end, and all must go on.
 */
public final class VolumeWorld {
    /** Of all that runs in a world. */
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.volume");

    private static final int MOST_WRITERS = 3;
    private static final int MOST_READERS = 2;
    /** More than a record of the journal, and not much more. */
    private static final long MOST_ROOM = 128 << 10;

    private static final long SECOND = 1_000_000_000L;
    /** Of what may be broken. */
    private static final long STORMY_NANOS = 6 * SECOND;
    /** Until all has ended: what is late, a lease, and a stall. */
    private static final long CALM_NANOS = 30 * SECOND;

    private static final long MOST_STEPS = 3_000_000;
    /** Once it is over: enough for the threads of the server to end. */
    private static final long MOST_STEPS_TO_END = 10_000;

    private final long seed;
    private final SplittableRandom random;
    private final Threads threads;
    private final Promises promises;
    private final ServerMachine server;
    private final Counts counts = new Counts();
    private final Stage stage;
    private final List<ClientMachine> clients = new ArrayList<>();
    /** Of each client what it does, so that another one does it when it has died. */
    private final List<Supplier<ClientMachine.Program>> programs = new ArrayList<>();

    private final Set<Fault> possible = EnumSet.noneOf(Fault.class);
    private int numbers = 1000;
    private boolean isCalm;

    private enum Fault {
        KILL,
        POWER_CUT,
        LOST_CONNECTION,
        HELD_UP,
        SLOW_DISK,
        STUCK_READS,
        FULL_DISK,
        ROT,
        FORCE_FAILS,
        CLIENT_DIES,
        ENDS_AT_A_CALL
    }

    /**
     * How a world went.
     *
     * @param violation what was that must never be
     * @param figures how often what has happened, by a word each, in one order
     */
    public record Report(long seed, Optional<String> violation, Map<String, Long> figures) {}

    VolumeWorld(long seed) throws IOException {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        int blocks = 4 + random.nextInt(12);
        this.promises = new Promises(blocks);
        this.threads = new Threads(thrown -> promises.breach("a thread ended: " + thrown));
        this.stage = new Stage(threads, promises, counts);
        this.server = new ServerMachine(stage, random.split(), blocks);
        for (Fault fault : Fault.values()) {
            if (random.nextInt(3) > 0) {
                possible.add(fault);
            }
        }
    }

    /**
     * Runs one. Nobody may change the level of the log meanwhile.
     *
     * @throws IllegalStateException if Java does not let it order its threads, or if they log, as a thread that waits
     *     for the lock of the log does so outside of the world, whose time goes on without it; the message says what
     *     to do
     */
    public static Report run(long seed) {
        if (LOG.isErrorEnabled()) {
            throw new IllegalStateException(
                    "threads of a world must not wait for a log: set the level of " + LOG.getName() + " to OFF");
        }
        try {
            return new VolumeWorld(seed).run();
        } catch (IOException impossible) {
            throw new IllegalStateException("a world that has not begun has no faults", impossible);
        }
    }

    /** Runs it, once; nothing of it is left when this returns but what refers to it. */
    Report run() {
        live();
        counts.add(Counted.EVENTS, threads.steps());
        long most = threads.steps() + MOST_STEPS_TO_END;
        threads.start(server::close);
        while (threads.step() && threads.steps() < most) {
            isCalm = true; // what was to be done later ends
        }
        return new Report(seed, promises.breaches().stream().findFirst(), counts.byWord());
    }

    private void live() {
        threads.start(server::start);
        threads.start(this::addClients);
        threads.start(this::storm);
        threads.start(this::look);
        boolean isMore = true;
        while (isMore && promises.breaches().isEmpty() && !hasEnded()) {
            isMore = threads.step();
            if (threads.steps() > MOST_STEPS || threads.nowNanos() > STORMY_NANOS + CALM_NANOS) {
                promises.breach("it does not go on: "
                        + clients.stream().filter(one -> !one.hasEnded()).count() + " clients have not ended "
                        + CALM_NANOS / SECOND + " s after the last fault");
            }
        }
        if (!hasEnded() && promises.breaches().isEmpty()) {
            promises.breach("nothing can go on");
        }
    }

    private boolean hasEnded() {
        return isCalm && clients.stream().allMatch(ClientMachine::hasEnded);
    }

    private void addClients() {
        add(1 + random.nextInt(MOST_WRITERS), () -> new Writer(server.name()));
        add(random.nextInt(MOST_READERS + 1), () -> new Reader(server.name()));
        add(random.nextInt(2), () -> new Keeper(server.name()));
    }

    private void add(int count, Supplier<ClientMachine.Program> program) {
        for (int i = 0; i < count; i++) {
            clients.add(new ClientMachine(stage, random.split(), server, ++numbers, program.get()));
            programs.add(program);
        }
    }

    private void look() {
        while (!hasEnded()) {
            threads.pause(SECOND / 2);
            server.look();
        }
    }

    private void storm() {
        while (threads.nowNanos() < STORMY_NANOS) {
            threads.pause(random.nextLong(SECOND / 50, SECOND));
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            if (possible.contains(fault)) {
                counts.count(Counted.FAULTS_INJECTED);
                happen(fault);
            }
        }
        server.disk().memory().endAfter(Integer.MAX_VALUE);
        server.leave(Long.MAX_VALUE);
        isCalm = true;
        clients.forEach(ClientMachine::calm);
    }

    private void happen(Fault fault) {
        switch (fault) {
            case KILL -> server.end(false);
            case POWER_CUT -> server.end(true);
            case LOST_CONNECTION ->
                server.wires().forEach(wire -> wire.end(random.nextLong(2 * SECOND), random.nextLong(2 * SECOND)));
            case HELD_UP -> holdUp();
            case SLOW_DISK -> {
                SlowDisk disk = server.disk();
                disk.slow(2 + random.nextInt(20));
                threads.after(random.nextLong(SECOND), () -> disk.slow(1));
            }
            case STUCK_READS -> server.disk().stick(1 + random.nextInt(8), SECOND);
            case FULL_DISK -> {
                server.leave(random.nextLong(MOST_ROOM));
                threads.after(random.nextLong(SECOND), () -> server.leave(Long.MAX_VALUE));
            }
            case ROT -> server.rot();
            case FORCE_FAILS -> server.disk().memory().failForceAfter(0);
            case CLIENT_DIES -> {
                int which = random.nextInt(clients.size());
                clients.get(which).die();
                add(1, programs.get(which));
            }
            case ENDS_AT_A_CALL -> server.disk().memory().endAfter(1 + random.nextInt(200));
        }
    }

    /** In one direction or both; for long, and the connection ends. */
    private void holdUp() {
        long nanos = random.nextLong(SECOND / 100, 3 * SECOND);
        int which = 1 + random.nextInt(3);
        for (Wire wire : server.wires()) {
            wire.block((which & 1) != 0, (which & 2) != 0);
            if (nanos > 2 * SECOND) {
                wire.end(2 * SECOND + random.nextLong(SECOND / 2), 2 * SECOND + random.nextLong(SECOND / 2));
            }
            threads.after(nanos, () -> wire.block(false, false));
        }
    }
}
