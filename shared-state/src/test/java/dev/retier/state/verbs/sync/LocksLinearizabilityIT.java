package dev.retier.state.verbs.sync;

import static dev.retier.state.verbs.Patience.await;

import dev.retier.state.verbs.rpc.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Named locks over real soft-iwarp, by threads of three nodes: what is counted under them with plain reads and writes
 * is counted right, and no token is lower than an earlier one.
 */
@Param(name = "node", gen = IntGen.class, conf = "1:3")
public class LocksLinearizabilityIT {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final SharedLocksOfNodes SHARED = new SharedLocksOfNodes();

    private int tickets;
    private int writes;

    @Operation
    public int countWithTicket(@Param(name = "node") int node) throws InterruptedException {
        try (Held held = SHARED.at(node).acquire(SHARED.ticket, Nodes.PATIENCE).orElseThrow()) {
            SHARED.checkTicket(held.token());
            return tickets++;
        }
    }

    @Operation
    public int countAsWriter(@Param(name = "node") int node) throws InterruptedException {
        try (Held held =
                SHARED.at(node).acquireWrite(SHARED.shared, Nodes.PATIENCE).orElseThrow()) {
            SHARED.checkWrite(held.token());
            return writes++;
        }
    }

    @Operation
    public int lookAsReader(@Param(name = "node") int node) throws InterruptedException {
        try (Held _ = SHARED.at(node).acquireRead(SHARED.shared, Nodes.PATIENCE).orElseThrow()) {
            return writes;
        }
    }

    @Test
    @Timeout(180)
    void shouldBeLinearizable_whenThreeNodesLock() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(8)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Counters.class)
                .check(LocksLinearizabilityIT.class);
        SHARED.close();
    }

    /** What it shall be like. */
    public static final class Counters {
        private int tickets;
        private int writes;

        public int countWithTicket(int node) {
            return tickets++;
        }

        public int countAsWriter(int node) {
            return writes++;
        }

        public int lookAsReader(int node) {
            return writes;
        }
    }

    private static final class SharedLocksOfNodes {
        final Nodes nodes = new Nodes(3, Nodes.LIMITS);
        final List<Locks> locks = new ArrayList<>();
        final LockPlace ticket = new LockPlace(Nodes.node(1), 1);
        final LockPlace shared = new LockPlace(Nodes.node(2), 2);
        long lastTicket;
        long lastWrite;

        SharedLocksOfNodes() {
            for (int node = 1; node <= 3; node++) {
                locks.add(new Locks(nodes.open(node), LEASE));
            }
            await().until(nodes::allConnected);
        }

        Locks at(int node) {
            return locks.get(node - 1);
        }

        /** Under the lock. */
        void checkTicket(long token) {
            if (token <= lastTicket) {
                throw new IllegalStateException("token " + token + " after token " + lastTicket);
            }
            lastTicket = token;
        }

        /** Under the lock. */
        void checkWrite(long token) {
            if (token <= lastWrite) {
                throw new IllegalStateException("token " + token + " after token " + lastWrite);
            }
            lastWrite = token;
        }

        void close() {
            locks.forEach(Locks::close);
            nodes.close();
        }
    }
}
