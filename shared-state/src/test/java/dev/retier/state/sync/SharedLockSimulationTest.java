package dev.retier.state.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.sync.SharedLockHome.Mode;
import dev.retier.state.sync.SharedLockHome.Standing;
import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Threads of nodes with drifting clocks, lost and late messages, deaths and a home that restarts, in virtual time. */
class SharedLockSimulationTest {
    private static final long LEASE = 3_000_000;
    private static final LeaseRule RULE = new LeaseRule(LEASE);
    private static final long FAULTS_END = 60 * LEASE;
    private static final int THREADS = 6;

    @Test
    void shouldLetReadersInTogetherAndKeepTheOrder_whenAWriterWaitsBetweenThem() {
        SharedLockHome<String> home = new SharedLockHome<>(RULE, 2, 0, 0);
        long now = LEASE + 1;
        assertThat(home.ask("r1", Mode.READ, now)).isInstanceOf(Standing.Held.class);
        assertThat(home.ask("w", Mode.WRITE, now)).isInstanceOf(Standing.Absent.class);
        assertThat(home.ask("r2", Mode.READ, now)).isInstanceOf(Standing.Absent.class);
        assertThat(home.ask("r3", Mode.READ, now)).isInstanceOf(Standing.TooMany.class);

        home.leave("r1");
        assertThat(home.settle(now)).containsExactly("w");
        home.leave("w");
        assertThat(home.settle(now)).containsExactly("r2");
    }

    @Test
    void shouldGrantNothing_whenTheHomeHasJustStarted() {
        SharedLockHome<String> home = new SharedLockHome<>(RULE, 2, 7, 100);

        assertThat(home.ask("a", Mode.READ, 101)).isInstanceOf(Standing.Absent.class);
        assertThat(home.settle(100 + LEASE)).isEmpty();
        assertThat(home.ask("a", Mode.READ, 101 + LEASE)).isInstanceOf(Standing.Held.class);
        assertThat(home.renew("b", 101 + LEASE)).isInstanceOf(Standing.Absent.class);
    }

    @Seeded(tries = 200)
    void shouldNeverMixWritersWithOthersAndAlwaysGoOn_whenEverythingFails(SplittableRandom random) {
        World world = new World(random);
        world.run(FAULTS_END);
        world.calm = true;
        int before = world.acquired;
        world.run(FAULTS_END + 20 * LEASE);

        assertThat(world.acquired).as("once all is calm").isGreaterThan(before + THREADS);
    }

    private record Event(long time, long order, Runnable action) {}

    private static final class World {
        final SplittableRandom random;
        final PriorityQueue<Event> events =
                new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));
        final List<Client> clients = new ArrayList<>();
        SharedLockHome<Long> home;
        int homeLife;
        long now;
        long order;
        long lastParty;
        long highestWrite = -1;
        int acquired;
        boolean calm;

        World(SplittableRandom random) {
            this.random = random;
            this.home = new SharedLockHome<>(RULE, 100, 0, 0);
            for (int i = 0; i < THREADS; i++) {
                clients.add(new Client(this, i < 2 ? Mode.WRITE : Mode.READ));
            }
            at(random.nextLong(LEASE), this::mischief);
        }

        void at(long delay, Runnable action) {
            events.add(new Event(now + delay, order++, action));
        }

        void run(long until) {
            Event next = events.peek();
            while (next != null && next.time() <= until) {
                events.remove();
                now = next.time();
                next.action().run();
                check();
                next = events.peek();
            }
            now = until;
        }

        void mischief() {
            if (calm) {
                return;
            }
            if (random.nextInt(6) == 0) {
                homeLife++;
                home = new SharedLockHome<>(RULE, 100, 1 + now / 1000, now);
            } else {
                clients.get(random.nextInt(THREADS)).die();
            }
            at(random.nextLong(3 * LEASE), this::mischief);
        }

        void check() {
            long writing = clients.stream()
                    .filter(client -> client.isActing() && client.mode == Mode.WRITE)
                    .count();
            long reading = clients.stream()
                    .filter(client -> client.isActing() && client.mode == Mode.READ)
                    .count();
            assertThat(writing)
                    .as("writers at %d beside %d readers", now, reading)
                    .isLessThanOrEqualTo(1);
            assertThat(writing == 0 || reading == 0)
                    .as("readers beside a writer at %d", now)
                    .isTrue();
        }
    }

    /** A thread of a node whose clock runs up to a tenth too fast or too slow. */
    private static final class Client {
        final World world;
        final Mode mode;
        final double rate;
        long party;
        boolean held;
        long provenNanos;

        Client(World world, Mode mode) {
            this.world = world;
            this.mode = mode;
            this.rate = 0.9 + world.random.nextDouble() * 0.2;
            world.at(world.random.nextLong(LEASE), this::want);
        }

        long clock() {
            return (long) (world.now * rate);
        }

        boolean isActing() {
            return held && clock() - provenNanos < RULE.actNanos();
        }

        void die() {
            party = 0;
            held = false;
            world.at(world.random.nextLong(2 * LEASE), this::want);
        }

        void want() {
            if (party == 0) {
                party = ++world.lastParty;
                held = false;
                ask(party);
            }
        }

        void ask(long mine) {
            if (mine != party) {
                return;
            }
            long begun = clock();
            send(() -> answer(
                    mine, held ? world.home.renew(mine, world.now) : world.home.ask(mine, mode, world.now), begun));
            world.at((long) (RULE.renewNanos() / rate), () -> ask(mine));
        }

        private void answer(long mine, Standing standing, long begun) {
            send(() -> {
                if (mine != party) {
                    return;
                }
                if (standing instanceof Standing.Held(long token)) {
                    if (!held) {
                        held = true;
                        world.acquired++;
                        assertThat(mode == Mode.READ || token > world.highestWrite)
                                .as("token %d", token)
                                .isTrue();
                        world.highestWrite = mode == Mode.WRITE ? token : world.highestWrite;
                        world.at(world.random.nextLong(LEASE), () -> free(mine));
                    }
                    provenNanos = Math.max(provenNanos, begun);
                } else if (held) {
                    free(mine);
                }
            });
        }

        private void free(long mine) {
            if (mine == party) {
                send(() -> world.home.leave(mine));
                party = 0;
                held = false;
                world.at(world.random.nextLong(LEASE / 4), this::want);
            }
        }

        /** Something travels to or from the home, is late, or lost; never to another life of the home. */
        private void send(Runnable what) {
            int life = world.homeLife;
            boolean late = !world.calm && world.random.nextInt(15) == 0;
            long travel = late ? world.random.nextLong(2 * LEASE) : 10 + world.random.nextLong(LEASE / 50);
            if (world.calm || world.random.nextInt(15) > 0) {
                world.at(travel, () -> {
                    if (life == world.homeLife) {
                        what.run();
                    }
                });
            }
        }
    }
}
