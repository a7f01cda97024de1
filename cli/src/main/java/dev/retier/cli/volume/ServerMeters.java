package dev.retier.cli.volume;

import dev.retier.agent.http.Health;
import dev.retier.agent.http.Meters;
import dev.retier.agent.http.WatchServer;
import dev.retier.link.Metric;
import dev.retier.volume.config.PoolConfig;
import dev.retier.volume.serve.ServerListener;
import dev.retier.volume.serve.VolumeMetric;
import dev.retier.volume.serve.VolumeServer;
import dev.retier.volume.wire.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a volume server tells to who watches it over HTTP. Stateless. */
final class ServerMeters {
    private static final List<Duration> BUCKETS = Stream.of(
                    20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 200_000, 1_000_000)
            .map(micros -> Duration.ofNanos(1_000L * micros))
            .toList();

    private ServerMeters() {}

    /** Hears how long things take, for {@code meters}. */
    static ServerListener listener(Meters meters) {
        Map<Operation, Consumer<Duration>> requests = new EnumMap<>(Operation.class);
        for (Operation operation : EnumSet.complementOf(EnumSet.of(Operation.OPEN))) { // which is no work
            requests.put(
                    operation,
                    meters.timer(VolumeMetric.REQUEST_DURATION, BUCKETS, "operation", word(operation.name())));
        }
        Consumer<Duration> quiesce = meters.timer(VolumeMetric.QUIESCE_DURATION, BUCKETS);
        return new ServerListener() {
            @Override
            public void answered(Operation operation, Duration took) {
                Objects.requireNonNull(requests.get(operation)).accept(took);
            }

            @Override
            public void quiesced(Duration waited) {
                quiesce.accept(waited);
            }
        };
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Serves them where the file says; nowhere if it says nothing. */
    static @Nullable WatchServer serve(PoolConfig config, Meters meters, VolumeServer server) {
        Supplier<Map<Metric, Long>> figures = () -> figures(server);
        figures.get().keySet().forEach(metric -> meters.figure(metric, figures));
        return config.admin()
                .map(address -> WatchServer.start(address, new Checks(server), meters))
                .orElse(null);
    }

    private static Map<Metric, Long> figures(VolumeServer server) {
        try {
            return server.figures();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It lives as long as it can be connected to; it is ready as long as its pool takes changes. */
    private record Checks(VolumeServer server) implements Health {
        @Override
        public List<Check> liveness() {
            return List.of(new Check(
                    "connections", server.loss().isEmpty(), server.loss().orElse("are taken")));
        }

        @Override
        public List<Check> readiness() {
            String failure = server.failure();
            return List.of(new Check(
                    "pool",
                    failure.isEmpty(),
                    failure.isEmpty() ? "takes changes" : "takes no changes (" + failure + "); start the server anew"));
        }

        @Override
        public List<Check> fitness() {
            return List.of();
        }
    }
}
