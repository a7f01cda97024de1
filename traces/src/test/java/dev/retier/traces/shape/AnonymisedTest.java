package dev.retier.traces.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.traces.ClassRule;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.RequestBody;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.TraceReading;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.statistics.TraceStatistics;
import dev.retier.traces.text.CommonLogFormat;
import dev.retier.traces.text.LineEvents;
import dev.retier.traces.text.LogMapping;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AnonymisedTest {
    private static final byte[] KEY = "sixteen bytes or".getBytes(StandardCharsets.US_ASCII);
    private static final Path SAMPLES = Path.of("samples");

    @Test
    void shouldTellNobodyAndNothing_whenALogIsGivenAway() {
        List<TraceEvent> events = TraceReading.drain(new Anonymised(log(), KEY));

        assertThat(events.toString()).doesNotContain("alice", "secret", "token", "192.0.2.7", "smith", "meier", ".17");
        assertThat(events.get(4).target()).doesNotContain(".");
        assertThat(events.get(5).target()).doesNotContain(".");
        assertThat(events).extracting(TraceEvent::sizeBytes).containsExactly(10L, 20L, 10L, 30L, 40L, 50L);
        assertThat(events.get(0).target()).isEqualTo(events.get(2).target()).endsWith(".html");
        assertThat(events.get(0).clientId())
                .isEqualTo(events.get(1).clientId())
                .isNotEqualTo(events.get(2).clientId());
        assertThat(events.get(1).target()).matches("/[a-z0-9]+/[a-z0-9]+\\.png\\?[a-z0-9]+");
        assertThat(folder(events.get(0))).as("the same folder").isEqualTo(folder(events.get(1)));
        assertThat(events.get(3).target()).isEqualTo("/");
    }

    @Test
    void shouldKeepWhatFiguresComeFrom_whenASampleIsAnonymised() {
        Trace sample = TraceFiles.of(List.of(SAMPLES.resolve("access.log")), ReadOptions.AS_LOGGED);

        TraceStatistics before = TraceStatistics.of(sample);
        TraceStatistics after = TraceStatistics.of(new Anonymised(sample, KEY));

        assertThat(after).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    void shouldDependOnTheKey_whenItIsAnother() {
        byte[] other = "another key of 16".getBytes(StandardCharsets.US_ASCII);

        assertThat(targets(KEY)).isEqualTo(targets(KEY)).isNotEqualTo(targets(other));
        assertThatThrownBy(() -> new Anonymised(log(), new byte[15])).hasMessageContaining("can be guessed");
    }

    private static String targets(byte[] key) {
        return TraceReading.drain(new Anonymised(log(), key)).stream()
                .map(TraceEvent::target)
                .collect(Collectors.joining());
    }

    private static String folder(TraceEvent event) {
        return event.target().substring(0, event.target().indexOf('/', 1));
    }

    private static Trace log() {
        String text = """
                192.0.2.7 - alice [22/Nov/2026:10:00:00 +0000] "GET /secret/alice.html HTTP/1.1" 200 10
                192.0.2.7 - alice [22/Nov/2026:10:00:01 +0000] "GET /secret/a.b.png?token=alice HTTP/1.1" 200 20
                192.0.2.8 - - [22/Nov/2026:10:00:02 +0000] "GET /secret/alice.html HTTP/1.1" 200 10
                192.0.2.8 - - [22/Nov/2026:10:00:02 +0000] "GET / HTTP/1.1" 200 30
                192.0.2.8 - - [22/Nov/2026:10:00:03 +0000] "GET /users/john.smith HTTP/1.1" 200 40
                192.0.2.8 - - [22/Nov/2026:10:00:03 +0000] "GET /anna.meier/10.0.0.17/.html HTTP/1.1" 200 50
                """;
        return new Trace() {
            @Override
            public String name() {
                return "log";
            }

            @Override
            public EventStream open() {
                return new LineEvents(
                        "log",
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)),
                        new CommonLogFormat(new LogMapping(ClassRule.AS_LOGGED, false)),
                        ReplayedMethods.SAFE);
            }

            @Override
            public OptionalLong eventCount() {
                return OptionalLong.of(6);
            }
        };
    }

    @Test
    void shouldKeepTypeAndLengthOfABodyAlone_whenItIsAnonymised() {
        Trace posts = new RequestTemplate(RequestMethod.POST, "alice=secret", "text/plain; name=alice", 1).over(log());

        assertThat(TraceReading.drain(new Anonymised(posts, KEY)))
                .extracting(TraceEvent::body)
                .containsOnly(new RequestBody("text/plain", new byte["alice=secret".length()]));
    }
}
