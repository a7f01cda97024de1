package dev.retier.iwarp.net;

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
}
