package dev.retier.bench.load;

import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadPlanBuilder;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.drive.WarmUp;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One run in a process of its own, which can be pinned to a core and frozen. */
final class OpenLoopRun {
    private static final Duration WARM_UP = Duration.ofSeconds(6);
    private static final long PLENTY = Integer.MAX_VALUE;

    private OpenLoopRun() {}

    /** Arguments: port, connections, seconds, requests per second (0: closed loop), file for the result as JSON. */
    public static void main(String... arguments) throws InterruptedException, IOException {
        Target target = new Target("127.0.0.1", Integer.parseInt(arguments[0]));
        double perSecond = Double.parseDouble(arguments[3]);
        WarmUp.run(WARM_UP);
        LoadPlanBuilder plan = LoadPlan.of(
                        "bench",
                        GeneratedTrace.mixed(PLENTY, 0, Catalogue.DEFAULT, 1),
                        TargetSource.fixed(List.of(target)))
                .withClients(Integer.parseInt(arguments[1]))
                .withMaxQueued(1_000_000)
                .withDuration(Duration.ofSeconds(Integer.parseInt(arguments[2])));
        if (perSecond > 0) {
            plan.withPacing(Pacing.Rates.constant(perSecond));
        }
        LoadResult result = LoadRun.start(plan.build()).await();
        Path file = Path.of(arguments[4]);
        Path written = Files.writeString(file.resolveSibling("part.json"), ResultJson.write(List.of(result)));
        Files.move(written, file);
    }
}
