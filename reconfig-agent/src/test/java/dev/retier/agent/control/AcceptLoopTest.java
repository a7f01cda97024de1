package dev.retier.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AcceptLoopTest {
    private static final ch.qos.logback.classic.Logger LOGGER =
            (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("dev.retier.agent");

    private enum Event {
        CONNECTION,
        NO_DESCRIPTOR
    }

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<Long> restedMillis = new ArrayList<>();

    @BeforeEach
    void listen() {
        log.start();
        LOGGER.setLevel(Level.WARN);
        LOGGER.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        LOGGER.detachAppender(log);
        LOGGER.setLevel(null);
    }

    private void run(Event... events) {
        Deque<Event> left = new ArrayDeque<>(Arrays.asList(events));
        AcceptLoop.run("a listener", () -> accept(left), rest -> restedMillis.add(rest.toMillis()));
    }

    private static void accept(Deque<Event> left) throws IOException {
        Event event = left.poll();
        if (event == null) {
            throw new ClosedChannelException();
        }
        if (event == Event.NO_DESCRIPTOR) {
            throw new IOException("Too many open files");
        }
    }

    private static Event[] failures(int count) {
        Event[] events = new Event[count];
        Arrays.fill(events, Event.NO_DESCRIPTOR);
        return events;
    }

    @Test
    void shouldRestTwiceAsLongEachTime_whenNoDescriptorIsLeft() {
        run(failures(9));

        assertThat(restedMillis).containsExactly(250L, 500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 16_000L, 16_000L);
    }

    @Test
    void shouldWriteOneLine_whenAcceptFailsAgainAndAgain() {
        run(failures(1_000));

        assertThat(log.list).hasSize(1);
        assertThat(log.list.getFirst().getFormattedMessage()).contains("a listener", "Too many open files");
    }

    @Test
    void shouldBeginAnew_whenAConnectionCameBetween() {
        run(Event.NO_DESCRIPTOR, Event.NO_DESCRIPTOR, Event.CONNECTION, Event.NO_DESCRIPTOR);

        assertThat(restedMillis).containsExactly(250L, 500L, 250L);
        assertThat(log.list).hasSize(2);
    }

    @Test
    void shouldEnd_whenItIsInterruptedWhileItRests() {
        AcceptLoop.run(
                "a listener",
                () -> {
                    throw new IOException("Too many open files");
                },
                AcceptLoopTest::interrupted);

        assertThat(Thread.interrupted()).isTrue();
    }

    private static void interrupted(Duration rest) throws InterruptedException {
        throw new InterruptedException("closed instead of " + rest);
    }
}
