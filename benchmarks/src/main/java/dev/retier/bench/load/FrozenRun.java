package dev.retier.bench.load;

import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadRun;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.GeneratedTrace.RequestedObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Our open loop against the server that freezes, in a process of its own: a warm-up at the same rate, then the run. */
final class FrozenRun {
    private static final int CLIENTS = 50;
    private static final int MOST_QUEUED = 1_000_000;
    private static final long PLENTY = Integer.MAX_VALUE;

    private FrozenRun() {}

    /** Arguments: port, requests per second, seconds to warm up, seconds to measure, file for the result as JSON. */
    public static void main(String... arguments) throws InterruptedException, IOException {
        Target target = new Target("127.0.0.1", Integer.parseInt(arguments[0]));
        double perSecond = Double.parseDouble(arguments[1]);
        run(target, "/warm", perSecond, Integer.parseInt(arguments[2]));
        LoadResult result = run(target, "/k", perSecond, Integer.parseInt(arguments[3]));
        Files.writeString(Path.of(arguments[4]), ResultJson.write(List.of(result)));
    }

    private static LoadResult run(Target target, String url, double perSecond, int seconds)
            throws InterruptedException {
        return LoadRun.start(LoadPlan.of(
                                "frozen",
                                GeneratedTrace.single(PLENTY, RequestedObject.of(url), 1),
                                TargetSource.fixed(List.of(target)))
                        .withClients(CLIENTS)
                        .withMaxQueued(MOST_QUEUED)
                        .withPacing(Pacing.Rates.constant(perSecond))
                        .withMaxRequests(Math.round(perSecond * seconds))
                        .build())
                .await();
    }
}
