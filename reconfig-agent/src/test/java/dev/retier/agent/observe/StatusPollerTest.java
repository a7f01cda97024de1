package dev.retier.agent.observe;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.Timing;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.InMemoryCell;
import dev.retier.agent.fixture.Timings;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of a server that is looked at once an hour, unless something is awaited of it. */
class StatusPollerTest {
    private static final int PATIENCE_SECONDS = 20;
    private static final Timing RARELY = Timings.publishing(Duration.ofHours(1));

    private final Server server = new Server();
    private final LinkedBlockingQueue<Integer> awaited = new LinkedBlockingQueue<>();
    private StatusPoller poller;

    StatusPollerTest() {
        NodeConfig config = Clusters.config(2, 2).node(node(3));
        poller = new StatusPoller(
                config,
                RARELY,
                new InMemoryCell().join(node(3), RoleWord.active(0, 0, APP)),
                server,
                new StatusPoller.Listener() {
                    @Override
                    public void paged(Duration took) {}

                    @Override
                    public void awaited() {
                        awaited.add(server.looks.get());
                    }

                    @Override
                    public void died(Throwable why) {
                        throw new IllegalStateException(why);
                    }
                });
    }

    /** Runs the file of stamp 1 until it is told to run another, and may be silent for some looks. */
    private static final class Server implements ManagedServer {
        final AtomicInteger looks = new AtomicInteger();
        final LinkedBlockingQueue<Integer> looked = new LinkedBlockingQueue<>();
        volatile long stamp = 1;
        volatile int silentUntil;

        @Override
        public long closestIntervalNanos() {
            return 1_000_000;
        }

        @Override
        public boolean tellsOfFiles() {
            return true;
        }

        @Override
        public Observation observe(Duration timeout) {
            int look = looks.incrementAndGet();
            looked.add(look);
            return look <= silentUntil
                    ? new Observation.Silent("test")
                    : new Observation.Partial(
                            new ServerStatus("app", "shop", stamp, null, 1_000, look, 0, 0, null, look, 0, 0, null),
                            "");
        }

        @Override
        public void install(Rendering rendering) {}

        @Override
        public long installedStamp() {
            return stamp;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() throws InterruptedException {
        poller.start();
        assertThat(server.looked.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @AfterEach
    void close() {
        poller.close();
    }

    /** Until a look has ended that is the given one or a later one: the first may still have been under way. */
    private void awaitLook(int number) throws InterruptedException {
        int looks = 0;
        while (looks < number) {
            looks = Objects.requireNonNull(awaited.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), "no further look");
        }
    }

    /** Until no look follows the one before: a first one that told nothing yet is followed by some. */
    private void awaitRest() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (awaited.poll(200, TimeUnit.MILLISECONDS) != null) {
            assertThat(System.nanoTime() - deadlineNanos).as("looks go on").isNegative();
        }
    }

    private long seenStamp() {
        return Objects.requireNonNull(poller.newest()).status().appliedStamp();
    }

    @Test
    void shouldLookAtOnceAndTellIt_whenSomethingHasComeOut() throws InterruptedException {
        server.stamp = 2;
        poller.lookNow();
        awaitLook(2);
        assertThat(seenStamp()).isEqualTo(2);
    }

    /** The server is started anew for a file, and does not answer at first. */
    @Test
    void shouldGoOnLooking_whenThatLookTellsNothing() throws InterruptedException {
        server.silentUntil = 4;
        server.stamp = 2;
        poller.lookNow();
        awaitLook(server.silentUntil + 1);
        assertThat(seenStamp()).isEqualTo(2);
    }

    /** A server that tells of its files itself is not asked for them again and again. */
    @Test
    void shouldHurryForThePageAlone_whenTheServerTellsOfItsFiles() throws InterruptedException {
        poller.hurry(Duration.ofHours(1), false);
        poller.lookNow();
        awaitLook(2);
        awaitRest();

        poller.hurry(Duration.ofHours(1), true);
        awaitLook(5);
    }
}
