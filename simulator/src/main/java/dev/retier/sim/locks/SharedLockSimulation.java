package dev.retier.sim.locks;

import dev.retier.fabric.locks.protocol.ReadWriteLockHome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One world from one seed: two writers and four readers of a read/write lock, with lost and late messages, connections
 * cut one way, deaths of those who hold or wait, a home that restarts, and clocks that drift. Not thread-safe.
 */
final class SharedLockSimulation extends LockWorld {
    private static final int WRITERS = 2;
    private static final int CLIENTS = 6;
    private static final int MAX_WAITING = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<SharedLockClient> clients = new ArrayList<>();
    private ReadWriteLockHome<Long> home = new ReadWriteLockHome<>(RULE, MAX_WAITING, 0, 0);
    private int homeLife;
    private long lastParty;
    private long highestWrite = -1;
    private long[] acquiredInStorm = {};

    private SharedLockSimulation(long seed) {
        super(seed);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new SharedLockClient(
                    this, i < WRITERS ? ReadWriteLockHome.Mode.WRITE : ReadWriteLockHome.Mode.READ, clockRate()));
        }
        clients.forEach(SharedLockClient::start);
    }

    /** Runs the world of {@code seed}; the same seed is always the same world. */
    static FaultSimulation.Report run(long seed) {
        return new SharedLockSimulation(seed).live();
    }

    ReadWriteLockHome<Long> home() {
        return home;
    }

    int homeLife() {
        return homeLife;
    }

    long newParty() {
        return ++lastParty;
    }

    void granted(ReadWriteLockHome.Mode mode, long token) {
        acquired();
        if (mode == ReadWriteLockHome.Mode.WRITE) {
            if (token <= highestWrite) {
                violated("a writer gets token " + token + " after token " + highestWrite);
            }
            highestWrite = Math.max(highestWrite, token);
        }
    }

    @Override
    void fault() {
        SharedLockClient client = clients.get(random.nextInt(CLIENTS));
        switch (random.nextInt(6)) {
            case 0 -> {
                crashed();
                homeLife++;
                home = new ReadWriteLockHome<>(
                        RULE, MAX_WAITING, 1 + time.nowNanos() / NANOS_PER_MILLI, time.nowNanos());
            }
            case 1, 2 -> client.cut(random.nextBoolean(), random.nextLong(2 * LEASE_NANOS));
            default -> {
                crashed();
                client.die();
            }
        }
    }

    @Override
    void check() {
        int writing = 0;
        int reading = 0;
        for (SharedLockClient client : clients) {
            if (client.isActing()) {
                writing += client.isWriter() ? 1 : 0;
                reading += client.isWriter() ? 0 : 1;
            }
        }
        if (writing > 1 || (writing == 1 && reading > 0)) {
            violated(writing + " writers act beside " + reading + " readers");
        }
    }

    @Override
    void calm() {
        acquiredInStorm = clients.stream().mapToLong(SharedLockClient::acquired).toArray();
    }

    @Override
    Optional<String> whoWaits() {
        return IntStream.range(0, CLIENTS)
                .filter(number -> clients.get(number).acquired() == acquiredInStorm[number])
                .mapToObj(number -> "client " + number)
                .findFirst();
    }
}
