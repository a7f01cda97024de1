package dev.retier.load.drive;

import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.made.Arrivals;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A process of its own, with a heap of its own, for {@link LoadScaleIT}. */
final class ScaleRun {
    static final int SESSIONS = 10_000;
    static final int REQUESTS = 50_000;
    static final double TRACE_SECONDS = 86_400;
    private static final double RUN_SECONDS = 8;

    private ScaleRun() {}

    /** Arguments: file with the targets, file for the results. */
    public static void main(String... arguments) throws InterruptedException, IOException {
        TargetSource targets = TargetSource.file(Path.of(arguments[0]));
        Trace trace = new ManySessions(GeneratedTrace.arriving(
                new Arrivals.Poisson(REQUESTS / TRACE_SECONDS),
                GeneratedTrace.mixed(REQUESTS, 0.3, Catalogue.DEFAULT, 1),
                1));
        // On a machine that others starve an answer may take longer than the usual 10 s; it must not be lost.
        LoadPlanBuilder plan = LoadPlan.of("shop", trace, targets).withRequestTimeout(Duration.ofMinutes(1));
        LoadResult sessions = LoadRun.start(plan.withClients(SESSIONS)
                        .withPacing(new Pacing.Sessions(0))
                        .build())
                .await();
        LoadResult timed = LoadRun.start(plan.withClients(2000)
                        .withPacing(new Pacing.TraceTime(TRACE_SECONDS / RUN_SECONDS))
                        .build())
                .await();
        Files.writeString(Path.of(arguments[1]), ResultJson.write(List.of(sessions, timed)));
    }

    /** The same requests by ten thousand clients in turn. */
    private record ManySessions(Trace of) implements Trace {
        @Override
        public String name() {
            return of.name();
        }

        @Override
        public OptionalLong eventCount() {
            return of.eventCount();
        }

        @Override
        public EventStream open() {
            EventStream in = of.open();
            return new EventStream() {
                private long count;

                @Override
                public @Nullable TraceEvent next() {
                    TraceEvent event = in.next();
                    return event == null ? null : event.ofClient(count++ % SESSIONS);
                }

                @Override
                public ReadReport report() {
                    return in.report();
                }

                @Override
                public void close() {
                    in.close();
                }
            };
        }
    }
}
