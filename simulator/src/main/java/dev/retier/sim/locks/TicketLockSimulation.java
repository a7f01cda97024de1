package dev.retier.sim.locks;

import dev.retier.fabric.locks.protocol.LockOperation;
import dev.retier.fabric.locks.protocol.NowServing;
import dev.retier.fabric.locks.protocol.TicketGrant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One world from one seed: four nodes with two threads each fight for one ticket lock, with late and lost operations
 * and answers, connections cut one way, crashes of nodes and of the home, pauses, and clocks that drift. Not
 * thread-safe.
 */
final class TicketLockSimulation extends LockWorld {
    private static final int NODES = 4;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int FIRST_BOOT_MILLIS = 1000;

    private final TicketLockNode[] nodes = new TicketLockNode[NODES];
    private final long[] acquiredInStorm = new long[NODES];
    private long ticketWord;
    private long turnWord;
    private int homeLife;
    private long highestToken = -1;

    private TicketLockSimulation(long seed) {
        super(seed);
        bootHome();
        Arrays.setAll(nodes, number -> new TicketLockNode(this, number));
        Arrays.stream(nodes).forEach(TicketLockNode::start);
    }

    /** Runs the world of {@code seed}; the same seed is always the same world. */
    static FaultSimulation.Report run(long seed) {
        return new TicketLockSimulation(seed).live();
    }

    int homeLife() {
        return homeLife;
    }

    /** Tells what the operation found. */
    long carryOut(LockOperation operation) {
        return switch (operation) {
            case LockOperation.Draw _ -> ticketWord++;
            case LockOperation.Look _ -> turnWord;
            case LockOperation.Swap(NowServing expected, NowServing next) -> {
                long found = turnWord;
                turnWord = found == expected.encode() ? next.encode() : found;
                yield found;
            }
        };
    }

    void granted(int node, TicketGrant grant) {
        if (grant.token() <= highestToken) {
            violated("node " + node + " gets token " + grant.token() + " after token " + highestToken);
        }
        highestToken = Math.max(highestToken, grant.token());
        acquired();
    }

    @Override
    void fault() {
        TicketLockNode node = nodes[random.nextInt(NODES)];
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
                crashed();
                node.crash();
            }
            case 3, 4, 5 -> node.pause(random.nextLong(2 * LEASE_NANOS));
            case 6, 7 -> node.cut(random.nextBoolean(), random.nextLong(2 * LEASE_NANOS));
            case 8 -> {
                crashed();
                bootHome();
            }
            default -> node.pause(random.nextLong(LEASE_NANOS / 10));
        }
    }

    @Override
    void check() {
        int acting = 0;
        for (TicketLockNode node : nodes) {
            acting += node.isActing() ? 1 : 0;
        }
        if (acting > 1) {
            violated(acting + " holders act");
        }
    }

    @Override
    void calm() {
        Arrays.setAll(acquiredInStorm, number -> nodes[number].acquired());
    }

    @Override
    Optional<String> whoWaits() {
        return IntStream.range(0, NODES)
                .filter(number -> nodes[number].acquired() == acquiredInStorm[number])
                .mapToObj(number -> "node " + number)
                .findFirst();
    }

    /** The words of a new life of the home, which nobody holds. */
    private void bootHome() {
        homeLife++;
        NowServing first = NowServing.atBoot(FIRST_BOOT_MILLIS + time.nowNanos() / NANOS_PER_MILLI);
        turnWord = first.encode();
        ticketWord = first.ticket() + 1;
    }
}
