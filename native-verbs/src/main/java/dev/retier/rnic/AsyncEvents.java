package dev.retier.rnic;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a device tells of itself: ports that go and come, queue pairs and completion queues that failed. A failed queue
 * pair ends its connection for its owner. One daemon thread for each device.
 */
final class AsyncEvents implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncEvents.class);
    private static final int EINTR = 4;
    private static final long ELEMENT = Layouts.at(Layouts.ASYNC_EVENT, "element");
    private static final long TYPE = Layouts.at(Layouts.ASYNC_EVENT, "event_type");

    private final RnicContext device;
    private final Runnable ended;

    private AsyncEvents(RnicContext device, Runnable ended) {
        this.device = device;
        this.ended = ended;
    }

    /** Listens to {@code device} until it can be heard no more, and says so by {@code ended}. */
    static void listen(RnicContext device, Runnable ended) {
        Thread.ofPlatform().daemon().name("rdma-events-" + device.deviceName()).start(new AsyncEvents(device, ended));
    }

    @Override
    public void run() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(Layouts.ASYNC_EVENT);
            Library library = device.library;
            while (true) {
                if ((int) Calls.call(library.getAsyncEvent, device.address, event.address()) == 0) {
                    try {
                        tell(event.get(ValueLayout.JAVA_INT, TYPE), event.get(ValueLayout.JAVA_LONG, ELEMENT));
                    } finally {
                        Calls.call(library.ackAsyncEvent, event.address());
                    }
                } else if (Calls.errno() != EINTR) {
                    LOG.error(
                            "{}: its events cannot be heard any more: {}",
                            device.deviceName(),
                            library.words(Calls.errno()));
                    ended.run();
                    return;
                }
            }
        }
    }

    private void tell(int type, long element) {
        AsyncEvent event = AsyncEvent.of(type);
        int port = (int) element;
        switch (event.concerns()) {
            case PORT -> {
                if (event == AsyncEvent.PORT_ACTIVE) {
                    LOG.info("{}: port {} is up", device.deviceName(), port);
                } else {
                    LOG.warn("{}: port {}: {}", device.deviceName(), port, event.words());
                }
            }
            case PAIR -> end(event, pair -> pair.address == element);
            case QUEUE -> end(event, pair -> pair.usesQueue(element));
            case DEVICE -> end(event, _ -> true);
            case NOTHING -> LOG.debug("{}: event {}", device.deviceName(), type);
        }
    }

    private void end(AsyncEvent event, Predicate<RnicQp> isConcerned) {
        LOG.error("{}: {}", device.deviceName(), event.words());
        device.pairs().stream().filter(isConcerned).forEach(pair -> {
            try {
                pair.failed();
            } catch (IOException gone) {
                LOG.debug("the connection was over already", gone);
            }
        });
    }
}
