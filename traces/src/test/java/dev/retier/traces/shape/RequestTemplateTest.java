package dev.retier.traces.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.TraceReading;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestTemplateTest {
    private static final Trace FIVE = GeneratedTrace.mixed(5, 0.5, Catalogue.DEFAULT, 3);

    @Test
    void shouldShareOneBody_whenThereIsNothingToFill() {
        List<TraceEvent> events =
                TraceReading.drain(new RequestTemplate(RequestMethod.POST, "{{x}}", "text/plain", 1).over(FIVE));

        assertThat(events).hasSize(5).allMatch(event -> event.weight() == 1);
        assertThat(events.stream()
                        .map(event -> System.identityHashCode(event.body()))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void shouldRefuseABody_whenItMayBeTooLongOnceItIsFilled() {
        String tight = "{{n}}" + "x".repeat(RequestBody.MAX_BYTES - 19);

        assertThat(new RequestTemplate(null, tight, "text/plain", 1).body()).isEqualTo(tight);
        assertThatThrownBy(() -> new RequestTemplate(null, tight + "x", "text/plain", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the body may have 8388609 bytes once it is filled");
    }

    @Test
    void shouldFillInTheBodyOfEach_whenItHasPlaces() {
        List<TraceEvent> before = TraceReading.drain(FIVE);
        List<TraceEvent> after = TraceReading.drain(
                new RequestTemplate(RequestMethod.POST, "{{n}};{{client}};\u00ff{{n}}", "text/plain", 1).over(FIVE));

        assertThat(after).extracting(TraceEvent::method).containsOnly(RequestMethod.POST);
        assertThat(after)
                .extracting(TraceEvent::target)
                .isEqualTo(before.stream().map(TraceEvent::target).toList());
        assertThat(after)
                .extracting(TraceEvent::body)
                .isEqualTo(IntStream.range(0, 5)
                        .mapToObj(i -> body(i + ";" + before.get(i).clientId() + ";\u00ff" + i))
                        .toList());
    }

    @Test
    void shouldBeRandomAndTheSameAgain_whenTheSeedIsTheSame() {
        List<RequestBody> one = bodies(1);

        assertThat(one).isEqualTo(bodies(1)).doesNotHaveDuplicates();
        assertThat(one).isNotEqualTo(bodies(2));
        assertThat(one).allMatch(body -> body.lengthBytes() == 9);
    }

    @Test
    void shouldLeaveTheTraceAlone_whenNothingIsAskedFor() {
        assertThat(new RequestTemplate(null, null, "text/plain", 1).over(FIVE)).isSameAs(FIVE);
    }

    private static List<RequestBody> bodies(long seed) {
        return TraceReading.drain(new RequestTemplate(null, "{{random}}", "text/plain", seed).over(FIVE)).stream()
                .map(TraceEvent::body)
                .toList();
    }

    private static RequestBody body(String text) {
        return new RequestBody("text/plain", text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
