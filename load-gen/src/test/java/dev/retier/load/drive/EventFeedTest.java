package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.report.EndReason;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.RequestBody;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EventFeedTest {
    private final BlockingQueue<Optional<TraceEvent>> pipe = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> woken = new LinkedBlockingQueue<>();
    private final TraceEvent event = firstEvent();

    private static TraceEvent firstEvent() {
        try (EventStream events =
                GeneratedTrace.mixed(1, 0.5, Catalogue.DEFAULT, 1).open()) {
            return Objects.requireNonNull(events.next());
        }
    }

    /** A thousand clients of one event loop ask with one wake: an event is one wake, not a thousand. */
    @Test
    void shouldWakeOnce_whenOneHasAskedOften() throws InterruptedException {
        EventFeed feed = new EventFeed(new Pipe(), 0);
        Runnable one = () -> woken.add("one");
        Runnable other = () -> woken.add("other");
        for (int i = 0; i < 1000; i++) {
            assertThat(feed.take(one)).isNull();
        }
        assertThat(feed.take(other)).isNull();

        pipe.add(Optional.of(event));

        assertThat(woken.poll(25, TimeUnit.SECONDS)).isEqualTo("one");
        assertThat(woken.poll(25, TimeUnit.SECONDS)).isEqualTo("other");
        assertThat(feed.take(one)).isEqualTo(event);
        assertThat(feed.take(one)).isNull();

        pipe.add(Optional.empty());

        assertThat(woken.poll(25, TimeUnit.SECONDS)).isEqualTo("one");
        assertThat(feed.take(one)).isNull();
        assertThat(feed.end()).isEqualTo(EndReason.TRACE_END);
        assertThat(woken).as("wakes beyond these").isEmpty();
        feed.close();
    }

    /** Whatever is put into the pipe, when it is put there. */
    private final class Pipe implements EventStream {
        @Override
        public @Nullable TraceEvent next() {
            try {
                return pipe.take().orElse(null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }

        @Override
        public ReadReport report() {
            return ReadReport.EMPTY;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldReadOn_whenLargeBodiesWereTaken() throws InterruptedException {
        EventFeed feed = feedOfLargeBodies();
        Runnable wake = () -> woken.add("more");
        for (int taken = 0; taken < 12; ) {
            if (feed.take(wake) != null) {
                taken++;
            } else {
                assertThat(woken.poll(25, TimeUnit.SECONDS))
                        .as("after " + taken)
                        .isEqualTo("more");
            }
        }
        feed.close();
    }

    @Test
    void shouldGiveEachItsOwn_whenSessionsHaveLargeBodies() throws InterruptedException {
        EventFeed feed = feedOfLargeBodies();
        SessionDesk desk = new SessionDesk(feed, 1);
        Runnable wake = () -> woken.add("more");
        for (int taken = 0; taken < 12; ) {
            if (desk.take(0, wake) != null) {
                taken++;
            } else {
                assertThat(woken.poll(25, TimeUnit.SECONDS))
                        .as("after " + taken)
                        .isEqualTo("more");
            }
        }
        feed.close();
    }

    /** Twelve MiB in as many events: more than either holds at once. */
    private EventFeed feedOfLargeBodies() {
        TraceEvent large = event.withBody(new RequestBody("text/plain", new byte[1 << 20]));
        for (int i = 0; i < 12; i++) {
            pipe.add(Optional.of(large));
        }
        return new EventFeed(new Pipe(), 0);
    }

    @Test
    void shouldWakeAllWhoWait_whenATraceOfSessionsEnds() throws InterruptedException {
        EventFeed feed = new EventFeed(new Pipe(), 0);
        SessionDesk desk = new SessionDesk(feed, 2);
        assertThat(desk.take(0, () -> woken.add("first"))).isNull();
        assertThat(desk.take(1, () -> woken.add("second"))).isNull();

        pipe.add(Optional.empty());

        assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo("first");
        assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo("second");
        assertThat(desk.isExhausted()).isTrue();
        feed.close();
    }
}
