package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CompletionChannelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final CompletionChannel channel = new CompletionChannel();
    private final AtomicInteger events = new AtomicInteger();

    @AfterEach
    void close() {
        channel.close();
    }

    /** A thread that waits already. */
    private Thread waiter() {
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                if (channel.await(-1)) {
                    events.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().atMost(PATIENCE).until(() -> channel.equals(LockSupport.getBlocker(thread)));
        return thread;
    }

    @Test
    void shouldWakeAWaiterForEachEvent_whenSeveralCameTogether() throws InterruptedException {
        Thread one = waiter();
        Thread other = waiter();
        channel.raise();
        channel.raise();
        channel.wake();
        assertThat(one.join(PATIENCE)).isTrue();
        assertThat(other.join(PATIENCE)).isTrue();
        assertThat(events).hasValue(2);
    }

    /** The event may have been meant to wake the one that was interrupted. */
    @Test
    void shouldWakeAnotherWaiter_whenOneIsInterrupted() throws InterruptedException {
        Thread one = waiter();
        Thread other = waiter();
        channel.raise();
        one.interrupt();
        assertThat(one.join(PATIENCE)).isTrue();
        assertThat(other.join(PATIENCE)).isTrue();
        assertThat(events).hasValue(1);
    }

    /** The sockets go back again and again while nothing comes. */
    private void awaitServing(LonePair lone) throws Exception {
        int descriptor = lone.descriptor();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
            if (!channel.sockets().areAny()) {
                channel.sockets().adopt(lone.pair, descriptor);
            }
            return channel.isServing();
        });
    }

    @Test
    @Tag("native-access")
    void shouldWakeTheWaiter_whenItsSocketsWentBack() throws Exception {
        try (LonePair lone = new LonePair("channel-test")) {
            Thread thread = waiter();
            awaitServing(lone);
            channel.sockets().giveBack();
            await().atMost(PATIENCE).until(() -> !channel.isServing());
            channel.raise();
            channel.wake();
            assertThat(thread.join(PATIENCE)).isTrue();
            assertThat(events).hasValue(1);
        }
    }

    @Test
    @Tag("native-access")
    void shouldWakeTheWaiterInItsSockets_andHaveItServeNoMore() throws Exception {
        try (LonePair lone = new LonePair("channel-test")) {
            Thread thread = waiter();
            awaitServing(lone);
            channel.raise();
            channel.wake();
            assertThat(thread.join(PATIENCE)).isTrue();
            assertThat(events).hasValue(1);
            assertThat(channel.isServing()).isFalse();
        }
    }
}
