package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.rdmap.Completion;
import dev.retier.iwarp.rdmap.WorkStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionQueueTest {
    private static final QueuePairListener NOBODY = new QueuePairListener() {
        @Override
        public void established() {}

        @Override
        public void disconnected(String why) {}
    };

    private final ProgressLoop loop = newLoop();
    private final Device device = new Device(DeviceConfig.defaults(), loop);
    private final CompletionChannel channel = new CompletionChannel();
    private final CompletionQueue queue = device.newCompletionQueue(8, channel);
    private final Completion completion = new Completion();

    private static ProgressLoop newLoop() {
        try {
            return new ProgressLoop("completion-test");
        } catch (IwarpException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private CompletionQueue.Share attach() {
        CompletionQueue other = device.newCompletionQueue(1, null);
        var pair = new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 1, 1, 1), other, other, NOBODY);
        return queue.attach(pair);
    }

    /** RFC 5042 section 6.4.3: a stream that floods a shared queue hurts itself, and no other. */
    @Test
    void shouldRefuseTheHogOnly_whenQueueIsFull() {
        CompletionQueue.Share hog = attach();
        CompletionQueue.Share modest = attach();
        int taken = 0;
        while (hog.complete(completion)) {
            taken++;
        }
        assertThat(taken).isEqualTo(8);
        for (int i = 0; i < 4; i++) {
            assertThat(modest.complete(completion)).as("its fair share").isTrue();
        }
        assertThat(modest.complete(completion)).as("no more than its share").isFalse();
        assertThat(queue.poll(100, (_, _) -> {})).isEqualTo(12);
        assertThat(hog.complete(completion)).isTrue();
    }

    /** Its memory is the device's while a queue pair completes here. */
    @Test
    void shouldGiveMemoryBack_whenLastQueuePairGoes() {
        Device own = new Device(DeviceConfig.defaults(), loop);
        CompletionQueue used = own.newCompletionQueue(8, null);
        assertThat(own.memoryBytes()).isZero();
        SocketQueuePair.Sizes sizes = new SocketQueuePair.Sizes(1, 1, 1, 1);
        List<SocketQueuePair> pairs = Stream.generate(() -> new SocketQueuePair(own, sizes, used, used, NOBODY))
                .limit(2)
                .toList();
        long queues = own.memoryBytes() - CompletionQueue.firstBytes(8);
        assertThat(queues).isEqualTo(2 * PairMemory.queueBytes(sizes));
        pairs.getFirst().destroy();
        assertThat(own.memoryBytes()).isEqualTo(queues / 2 + CompletionQueue.firstBytes(8));
        pairs.getLast().destroy();
        assertThat(own.memoryBytes()).isZero();
    }

    /** One of its two completion queues fits and the other does not: nothing stays taken. */
    @Test
    void shouldTakeNoMemory_whenQueuePairIsRefused() {
        Device own = deviceOf(9_000);
        CompletionQueue small = own.newCompletionQueue(8, null);
        CompletionQueue large = own.newCompletionQueue(24, null);
        SocketQueuePair.Sizes sizes = new SocketQueuePair.Sizes(1, 1, 1, 1);
        assertThatThrownBy(() -> new SocketQueuePair(own, sizes, small, large, NOBODY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a completion queue of 24 entries: 6656 bytes more");
        assertThat(own.memoryBytes()).isZero();
    }

    /** A ring of twice the entries takes 104 bytes a place. */
    @ParameterizedTest
    @CsvSource({"1,0", "207,0", "208,1", "415,1", "416,2", "9000,32", "872415231,2097152", "872415232,4194304"})
    void shouldTellTheLargestThatItTakes_whenMemoryIsLimited(long bytes, int largest) {
        Device own = deviceOf(bytes);
        assertThat(own.maxCompletions()).isEqualTo(largest);
        assertThatThrownBy(() -> own.newCompletionQueue(largest + 1, null))
                .isInstanceOf(IllegalArgumentException.class);
        if (largest > 0) {
            assertThat(own.newCompletionQueue(largest, null).capacity()).isEqualTo(largest);
        }
    }

    @Test
    void shouldTellTheLimitOfAQueue_whenThereIsMemoryForMore() {
        assertThat(deviceOf(1L << 40).maxCompletions()).isEqualTo(4_194_304);
    }

    /** A queue made for hundreds of connections takes no more than the few need that there are. */
    @Test
    void shouldCountMemoryAsItGrows_andKeepOrder() {
        Device own = new Device(DeviceConfig.defaults(), loop);
        CompletionQueue used = own.newCompletionQueue(100_000, null);
        CompletionQueue.Share share = attachTo(used, own);
        long first = own.memoryBytes();
        completeNext(share, 0, 40);
        List<Long> seen = new ArrayList<>();
        used.poll(30, (_, entry) -> seen.add(entry.completion().workId));
        assertThat(own.memoryBytes()).isEqualTo(first);
        completeNext(share, 40, 1_000);
        assertThat(own.memoryBytes() - first)
                .isEqualTo(CompletionQueue.ENTRY_BYTES * 1_024L - CompletionQueue.firstBytes(100_000));
        used.poll(2_000, (_, entry) -> seen.add(entry.completion().workId));
        assertThat(seen).hasSize(1_000).isSorted();
    }

    /** Who makes it grow when the device has no memory left is refused, and the queue goes on. */
    @Test
    void shouldRefuse_whenDeviceHasNoMemoryToGrow() {
        Device own = deviceOf(30_000);
        CompletionQueue used = own.newCompletionQueue(100, null);
        CompletionQueue.Share share = attachTo(used, own);
        completeNext(share, 0, 64);
        SocketQueuePair.Sizes large = new SocketQueuePair.Sizes(1, 12, 1, 1);
        CompletionQueue others = own.newCompletionQueue(1, null);
        SocketQueuePair taker = new SocketQueuePair(own, large, others, others, NOBODY);
        assertThat(share.complete(completion)).isFalse();
        assertThat(used.poll(1, (_, _) -> {})).isEqualTo(1);
        assertThat(share.complete(completion)).isTrue();
        taker.destroy();
        assertThat(share.complete(completion)).as("memory is back").isTrue();
    }

    private Device deviceOf(long bytes) {
        return new Device(
                DeviceConfig.defaults().withLimits(DeviceLimits.defaults().withMemory(bytes, bytes)), loop);
    }

    private static CompletionQueue.Share attachTo(CompletionQueue queue, Device device) {
        return queue.attach(new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 1, 1, 1), queue, queue, NOBODY));
    }

    private void completeNext(CompletionQueue.Share share, int from, int to) {
        for (int i = from; i < to; i++) {
            completion.workId = i;
            assertThat(share.complete(completion)).isTrue();
        }
    }

    @Test
    void shouldWakeOnce_whenNotificationWasRequested() throws InterruptedException {
        CompletionQueue.Share share = attach();
        share.complete(completion);
        assertThat(channel.await(0)).as("nobody asked").isFalse();
        queue.requestNotification(false);
        share.complete(completion);
        share.complete(completion);
        assertThat(channel.await(0)).isTrue();
        assertThat(channel.await(0)).isFalse();
    }

    /** RFC 5040 section 5.3: who asked for solicited events sleeps through all others but errors. */
    @Test
    void shouldSleep_whenEventIsNotSolicited() throws InterruptedException {
        CompletionQueue.Share share = attach();
        queue.requestNotification(true);
        share.complete(completion);
        assertThat(channel.await(0)).isFalse();
        completion.solicited = true;
        share.complete(completion);
        assertThat(channel.await(0)).isTrue();
        queue.requestNotification(true);
        completion.solicited = true;
        completion.status = WorkStatus.FLUSHED;
        share.complete(completion);
        assertThat(channel.await(0)).isTrue();
    }

    @Test
    void shouldKeepOrder_whenPolledInParts() {
        CompletionQueue.Share share = attach();
        for (int i = 0; i < 8; i++) {
            completion.workId = i;
            share.complete(completion);
        }
        long[] seen = new long[8];
        assertThat(queue.poll(3, (i, entry) -> seen[i] = entry.completion().workId))
                .isEqualTo(3);
        assertThat(queue.poll(9, (i, entry) -> seen[3 + i] = entry.completion().workId))
                .isEqualTo(5);
        assertThat(seen).isSorted();
    }

    @Test
    void shouldWakeWaiters_whenChannelIsClosed() throws InterruptedException {
        Thread closer = Thread.ofPlatform().start(channel::close);
        assertThat(channel.await(-1)).isFalse();
        closer.join();
    }

    /** The progress thread wakes waiters at the end of its round only; none may be forgotten. */
    @Test
    @Timeout(30)
    void shouldWakeWaiter_whenProgressThreadCompletes() throws Exception {
        CompletionQueue.Share share = attach();
        for (int i = 0; i < 100; i++) {
            queue.requestNotification(false);
            CompletableFuture<Boolean> woken = CompletableFuture.supplyAsync(this::awaitEvent);
            loop.execute(() -> {
                share.complete(completion);
                share.complete(completion);
            });
            assertThat(woken.get(10, TimeUnit.SECONDS)).isTrue();
            // Whoever asks at the right moment finds the event before the second completion.
            for (int seen = 0; seen < 2; seen += queue.poll(8, (_, _) -> {})) {
                Thread.onSpinWait();
            }
        }
        assertThat(channel.await(0)).as("one event each").isFalse();
    }

    private boolean awaitEvent() {
        try {
            return channel.await(10_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
