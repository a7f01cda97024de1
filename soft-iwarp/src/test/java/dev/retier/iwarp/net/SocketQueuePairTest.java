package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocketQueuePairTest {
    private static final QueuePairListener NOBODY = new QueuePairListener() {
        @Override
        public void established() {}

        @Override
        public void disconnected(String why) {}
    };

    private ProgressLoop loop;
    private SocketQueuePair pair;

    /** A key whose channel somebody has closed since the selector looked. */
    private static final class CancelledKey extends SelectionKey {
        @Override
        public boolean isValid() {
            return false;
        }

        @Override
        public void cancel() {}

        @Override
        public SelectableChannel channel() {
            throw new CancelledKeyException();
        }

        @Override
        public Selector selector() {
            throw new CancelledKeyException();
        }

        @Override
        public int interestOps() {
            throw new CancelledKeyException();
        }

        @Override
        public SelectionKey interestOps(int operations) {
            throw new CancelledKeyException();
        }

        @Override
        public int readyOps() {
            throw new CancelledKeyException();
        }
    }

    /** A key of a channel that has bytes and takes some. */
    private static final class ReadyKey extends SelectionKey {
        private volatile int interest = OP_READ | OP_WRITE;

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public void cancel() {}

        @Override
        public SelectableChannel channel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Selector selector() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int operations) {
            interest = operations;
            return this;
        }

        @Override
        public int readyOps() {
            return OP_READ | OP_WRITE;
        }
    }

    @BeforeEach
    void open() throws IwarpException {
        loop = new ProgressLoop("queue-pair-test");
        Device device = new Device(DeviceConfig.defaults(), loop);
        CompletionQueue queue = device.newCompletionQueue(8, null);
        pair = new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 4, 4, 4), queue, queue, NOBODY);
    }

    @AfterEach
    void close() {
        pair.destroy();
        loop.close();
    }

    /** A poller may close the connection between the selector's look and the loop's. */
    @Test
    void shouldDoNothing_whenKeyWasCancelledMeanwhile() {
        CancelledKey key = new CancelledKey();
        assertThatCode(() -> {
                    for (int i = 0; i < 40; i++) { // more wake-ups than the loop leaves to a poller
                        pair.poll();
                        pair.ready(key);
                    }
                })
                .doesNotThrowAnyException();
    }

    /** What is left to send asks for it again. */
    @Test
    void shouldWaitForSpaceNoMore_whenThereIsSome() {
        ReadyKey key = new ReadyKey();
        loop.execute(() -> pair.ready(key));
        loop.awaitSelection();
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void shouldWaitForNothing_whenTheSocketIsLeftToAPoller() {
        ReadyKey key = new ReadyKey();
        loop.execute(() -> {
            for (int i = 0; i < 16; i++) {
                pair.poll();
                pair.ready(key);
            }
        });
        loop.awaitSelection();
        assertThat(key.interestOps()).isZero();
    }
}
