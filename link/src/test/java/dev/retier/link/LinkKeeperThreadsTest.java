package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import dev.retier.link.auth.Secrets;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The keeper with its own threads; its clock goes by hand all the same. */
@Timeout(15)
class LinkKeeperThreadsTest extends CellFixture {
    private final AtomicLong clock = new AtomicLong(TimeUnit.DAYS.toNanos(1));
    /** How long the keeper would wait for an event each time. */
    private final BlockingQueue<Integer> waits = new LinkedBlockingQueue<>();

    @BeforeEach
    void begin() {
        pace = new LinkConfig.Pace(clock::get, false);
        world.letWait(true);
        world.onWait(waits::add);
    }

    private Node alone() {
        InetSocketAddress here = Objects.requireNonNull(peers.get(ONE));
        return new Node(ONE, Map.of(ONE, here), Secrets.only(SECRET), false);
    }

    private void untilItWaits(int millis) throws InterruptedException {
        int wait = waits.take();
        while (wait != millis) {
            wait = waits.take();
        }
    }

    @Test
    void shouldConnectAndThenWaitCalmly_whenNobodyIsMissing() throws InterruptedException {
        Node one = alone();
        untilItWaits(250);

        assertThat(one.sees(ONE)).isTrue();
        assertThat(one.keeper.connected()).isEqualTo(1);
        one.keeper.close();
        one.close();
        assertThat(world.live()).isEmpty();
    }

    @Test
    void shouldLookMoreOften_whileSomebodyIsMissing() throws InterruptedException {
        world.answer("resolveAddr", EventType.RDMA_CM_EVENT_TIMEWAIT_EXIT);
        Node one = alone();
        untilItWaits(50);

        assertThat(one.sees(ONE)).isFalse();
        one.keeper.close();
        one.close();
    }

    @Test
    void shouldWaitUntilTheNextTry_whenThatIsSooner() throws InterruptedException {
        world.answer("resolveAddr", EventType.RDMA_CM_EVENT_ADDR_ERROR);
        long begun = clock.get();
        Node one = alone();
        OutgoingLink<Use> link = one.link(ONE);
        while (link.dueNanos() == begun || link.dueNanos() - begun > TimeUnit.SECONDS.toNanos(1)) {
            waits.take();
        }
        long dueNanos = link.dueNanos();
        assertThat(dueNanos - begun).as("the first back-off").isBetween(37_500_000L, 62_500_000L);
        clock.set(dueNanos - TimeUnit.MILLISECONDS.toNanos(10));
        untilItWaits(10);
        clock.set(dueNanos - 1);
        untilItWaits(1);
        clock.set(dueNanos);
        untilItWaits(250);

        assertThat(one.sees(ONE)).isTrue();
        one.keeper.close();
        one.close();
    }
}
