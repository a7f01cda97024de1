package dev.retier.volume.worlds;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A server and its clients by seed: processes are killed, machines lose their power, connections end for each end at
 * another time, messages are late or held up in one direction, disks are slow, a force fails once, volumes are taken by
 * force. All of it is what ships, but for machines, disks, network and time. Then the faults end, and all must go on.
 */
public final class VolumeWorld {
    private static final int MOST_CLIENTS = 3;
    private static final long SECOND = 1_000_000_000L;
    /** Of what may be broken. */
    private static final long STORMY_NANOS = 6 * SECOND;
    /** Until all has ended: what is late, a lease, and a stall. */
    private static final long CALM_NANOS = 30 * SECOND;

    private static final long MOST_STEPS = 3_000_000;

    private final SplittableRandom random;
    private final Threads threads;
    private final Promises promises;
    private final ServerMachine server;
    private final List<ClientMachine> clients = new ArrayList<>();
    private final Set<Fault> possible = EnumSet.noneOf(Fault.class);
    private int numbers = 1000;
    private long faults;
    private long cuts;
    private boolean isCalm;

    private enum Fault {
        KILL,
        POWER_CUT,
        LOST_CONNECTION,
        HELD_UP,
        SLOW_DISK,
        FORCE_FAILS,
        CLIENT_DIES,
        ENDS_AT_A_CALL
    }

    /**
     * How a world went.
     *
     * @param violation what was that must never be
     * @param requests of programs that were done
     * @param steps of threads
     */
    public record Report(
            long seed,
            Optional<String> violation,
            long requests,
            long faults,
            long powerCuts,
            long starts,
            long steps) {}

    private VolumeWorld(long seed) throws IOException {
        this.random = new SplittableRandom(seed);
        int blocks = 4 + random.nextInt(12);
        this.promises = new Promises(blocks);
        this.threads = new Threads(thrown -> promises.breach("a thread ended: " + thrown));
        this.server = new ServerMachine(threads, random.split(), promises, blocks);
        for (Fault fault : Fault.values()) {
            if (random.nextInt(3) > 0) {
                possible.add(fault);
            }
        }
    }

    /**
     * Runs one.
     *
     * @throws IllegalStateException if Java does not let it order its threads; the message says what to do
     */
    public static Report run(long seed) {
        try {
            return new VolumeWorld(seed).run().report(seed);
        } catch (IOException impossible) {
            throw new IllegalStateException("a world that has not begun has no faults", impossible);
        }
    }

    private Report report(long seed) {
        long requests = clients.stream().mapToLong(ClientMachine::done).sum();
        Optional<String> first = promises.breaches().stream().findFirst();
        return new Report(seed, first, requests, faults, cuts, server.starts(), threads.steps());
    }

    private VolumeWorld run() {
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
        return this;
    }

    private boolean hasEnded() {
        return isCalm && clients.stream().allMatch(ClientMachine::hasEnded);
    }

    private void addClients() {
        int count = 1 + random.nextInt(MOST_CLIENTS);
        for (int i = 0; i < count; i++) {
            add();
        }
    }

    private ClientMachine add() {
        ClientMachine client = new ClientMachine(threads, random.split(), promises, server, ++numbers);
        clients.add(client);
        return client;
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
                faults++;
                happen(fault);
            }
        }
        server.disk().memory().endAfter(Integer.MAX_VALUE);
        isCalm = true;
        clients.forEach(ClientMachine::calm);
    }

    private void happen(Fault fault) {
        switch (fault) {
            case KILL -> server.end(false);
            case POWER_CUT -> {
                cuts++;
                server.end(true);
            }
            case LOST_CONNECTION ->
                server.wires().forEach(wire -> wire.end(random.nextLong(2 * SECOND), random.nextLong(2 * SECOND)));
            case HELD_UP -> holdUp();
            case SLOW_DISK -> {
                SlowDisk disk = server.disk();
                disk.slow(2 + random.nextInt(20));
                threads.after(random.nextLong(SECOND), () -> disk.slow(1));
            }
            case FORCE_FAILS -> server.disk().memory().failForceAfter(0);
            case CLIENT_DIES -> {
                clients.get(random.nextInt(clients.size())).die();
                add();
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
