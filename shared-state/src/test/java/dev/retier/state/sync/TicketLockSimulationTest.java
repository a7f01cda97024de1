package dev.retier.state.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Nodes with two threads each fight for one lock in virtual time, with late and lost answers, operations that land
 * after their sender has given them up, crashes of nodes and of the home, pauses, and clocks that drift.
 */
class TicketLockSimulationTest {
    private static final long LEASE = 3_000_000_000L;
    private static final LeaseRule RULE = new LeaseRule(LEASE);
    private static final long FAULTS_END = 60_000_000_000L;
    private static final int NODES = 4;
    private static final int THREADS = 2;

    @Seeded(tries = 100)
    void shouldNeverLetTwoActAndAlwaysGoOn_whenEverythingFails(SplittableRandom random) {
        World world = new World(random);
        world.run(FAULTS_END);
        world.calm = true;
        long acquiredBefore = world.acquired;
        Map<Integer, Long> before = new HashMap<>(world.acquiredBy);
        world.run(FAULTS_END + 15 * LEASE);

        assertThat(world.acquired).as("acquisitions once all is calm").isGreaterThan(acquiredBefore);
        for (int node = 0; node < NODES; node++) {
            assertThat(world.acquiredBy.getOrDefault(node, 0L))
                    .as("node %d once all is calm", node)
                    .isGreaterThan(before.getOrDefault(node, 0L));
        }
    }

    private record Event(long time, long order, Runnable action) {}

    /** The home's two words and all nodes. */
    private static final class World {
        final SplittableRandom random;
        final PriorityQueue<Event> events =
                new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));
        final List<Node> nodes = new ArrayList<>();
        final Map<Integer, Long> acquiredBy = new HashMap<>();
        long now;
        long order;
        long ticketWord;
        long turnWord;
        int homeLife;
        long highestToken = -1;
        long acquired;
        boolean calm;

        World(SplittableRandom random) {
            this.random = random;
            bootHome();
            for (int i = 0; i < NODES; i++) {
                nodes.add(new Node(this, i));
            }
            at(now + random.nextLong(LEASE), this::mischief);
        }

        void bootHome() {
            homeLife++;
            Turn first = Turn.atBoot(1000 + now / 1_000_000);
            turnWord = first.encode();
            ticketWord = first.ticket() + 1;
        }

        void at(long time, Runnable action) {
            events.add(new Event(time, order++, action));
        }

        void run(long until) {
            while (!events.isEmpty() && Objects.requireNonNull(events.peek()).time() <= until) {
                Event event = events.remove();
                now = event.time();
                event.action().run();
                check();
            }
            now = until;
        }

        void mischief() {
            if (calm) {
                return;
            }
            int what = random.nextInt(10);
            if (what < 4) {
                nodes.get(random.nextInt(NODES)).crash();
            } else if (what < 8) {
                nodes.get(random.nextInt(NODES)).pausedUntil = now + random.nextLong(2 * LEASE);
            } else if (what == 8) {
                bootHome();
            }
            at(now + random.nextLong(3 * LEASE), this::mischief);
        }

        void check() {
            long acting = nodes.stream().filter(Node::isActing).count();
            assertThat(acting).as("holders that act at %d", now).isLessThanOrEqualTo(1);
        }

        void granted(int node, Grant grant) {
            assertThat(grant.token()).as("token at %d", now).isGreaterThan(highestToken);
            highestToken = grant.token();
            acquired++;
            acquiredBy.merge(node, 1L, Long::sum);
        }

        long carryOut(WordOperation operation) {
            return switch (operation) {
                case WordOperation.Draw _ -> ticketWord++;
                case WordOperation.Look _ -> turnWord;
                case WordOperation.Swap(Turn expected, Turn next) -> {
                    long found = turnWord;
                    turnWord = found == expected.encode() ? next.encode() : found;
                    yield found;
                }
            };
        }
    }

    /** A node, whose clock runs up to a tenth too fast or too slow. */
    private static final class Node {
        final World world;
        final int number;
        final double rate;
        TicketLock lock = new TicketLock(RULE);
        int life;
        long requests;
        long pausedUntil;
        Optional<Grant> held = Optional.empty();

        Node(World world, int number) {
            this.world = world;
            this.number = number;
            this.rate = 0.9 + world.random.nextDouble() * 0.2;
            start();
        }

        long clock() {
            return (long) (world.now * rate);
        }

        void start() {
            for (int i = 0; i < THREADS; i++) {
                later(world.random.nextLong(LEASE), this::want);
            }
        }

        void crash() {
            life++;
            lock = new TicketLock(RULE);
            held = Optional.empty();
            later(world.random.nextLong(2 * LEASE), this::start);
        }

        boolean isActing() {
            return held.isPresent() && lock.isSafe(held.get(), clock());
        }

        void later(long delay, Runnable action) {
            int mine = life;
            world.at(world.now + delay, () -> whenAwake(mine, action));
        }

        private void whenAwake(int mine, Runnable action) {
            if (mine != life) {
                return;
            }
            if (world.now < pausedUntil) {
                world.at(pausedUntil, () -> whenAwake(mine, action));
                return;
            }
            action.run();
        }

        void want() {
            long request = ++requests;
            lock.request(request);
            if (world.random.nextInt(8) == 0) {
                later(world.random.nextLong(LEASE / 10), () -> giveUp(request));
            }
            drive();
        }

        void giveUp(long request) {
            if (lock.cancel(request)) {
                later(world.random.nextLong(LEASE / 10), this::want);
            }
        }

        void drive() {
            for (Grant grant : lock.takeGrants()) {
                world.granted(number, grant);
                held = Optional.of(grant);
                later(world.random.nextLong(LEASE / (world.random.nextInt(10) == 0 ? 1 : 50)), () -> free(grant));
            }
            lock.next(clock()).ifPresent(this::begin);
            lock.wakeNanos().ifPresent(this::wakeAt);
        }

        private void wakeAt(long wake) {
            long wait = Math.max(1, (long) ((wake - clock()) / rate) + 1);
            later(wait, () -> {
                if (lock.wakeNanos().equals(OptionalLong.of(wake))) {
                    drive();
                }
            });
        }

        void free(Grant grant) {
            lock.release(grant, clock());
            if (held.equals(Optional.of(grant))) {
                held = Optional.empty();
            }
            later(world.random.nextLong(LEASE / 20), this::want);
            drive();
        }

        void begin(WordOperation operation) {
            long begun = clock();
            int home = world.homeLife;
            TicketLock mine = lock;
            long there = 5_000 + world.random.nextLong(50_000);
            boolean late = !world.calm && world.random.nextInt(40) == 0;
            long travel = late ? world.random.nextLong(2 * LEASE) : there;
            boolean given = late && world.random.nextBoolean();
            world.at(world.now + travel, () -> {
                Optional<Long> found =
                        home == world.homeLife ? Optional.of(world.carryOut(operation)) : Optional.empty();
                if (!given) {
                    later(
                            there,
                            () -> answered(
                                    mine, operation, found.map(word -> new TicketLock.Found(word, home)), begun));
                }
            });
            if (given) {
                later(world.random.nextLong(LEASE / 4), () -> answered(mine, operation, Optional.empty(), begun));
            }
        }

        void answered(TicketLock of, WordOperation operation, Optional<TicketLock.Found> found, long begun) {
            if (!of.equals(lock)) {
                return;
            }
            if (found.isPresent()) {
                lock.done(operation, found.get(), begun, clock());
            } else {
                lock.unknown(clock());
            }
            drive();
        }
    }
}
