package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.source.TargetSource;
import dev.retier.testsupport.Seeded;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.RequestClass;
import dev.retier.traces.SyntheticObject;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SessionTest {
    /** Number i of a client asks for object client * 100,000 + i, so that the server can tell who asked and when. */
    @Seeded(tries = 5)
    void shouldKeepEachClientsOrderOnOneConnection_whenSessionsAreKept(SplittableRandom random)
            throws InterruptedException {
        Map<Long, Queue<Long>> orderOfClient = new ConcurrentHashMap<>();
        Map<Long, Set<Socket>> socketsOfClient = new ConcurrentHashMap<>();
        Trace trace = new ListTrace(events(random));
        try (TestServer server = TestServer.start()) {
            server.behaving((line, socket) -> {
                long object = Long.parseLong(line.replaceAll("^GET /static/o(\\d+).*", "$1"));
                orderOfClient
                        .computeIfAbsent(object / 100_000, _ -> new ConcurrentLinkedQueue<>())
                        .add(object);
                socketsOfClient
                        .computeIfAbsent(object / 100_000, _ -> ConcurrentHashMap.newKeySet())
                        .add(socket);
                return TestServer.answerOk(line, socket);
            });
            LoadPlan plan = LoadPlan.of("shop", trace, TargetSource.fixed(List.of(server.target())))
                    .withPacing(new Pacing.Sessions(0))
                    .withClients(5)
                    .withEventLoops(2)
                    .build();

            LoadResult result = LoadRun.start(plan).await();

            assertThat(result.totals().answered()).isEqualTo(25_000);
            assertThat(orderOfClient.values().stream().mapToInt(Queue::size).sum())
                    .isEqualTo(25_000);
            assertThat(orderOfClient.values())
                    .allSatisfy(order -> assertThat(List.copyOf(order)).isSorted());
            assertThat(socketsOfClient.values()).allMatch(sockets -> sockets.size() == 1);
            assertThat(new HashSet<>(socketsOfClient.values()).size()).isGreaterThan(1);
        }
    }

    /** First one client alone, for longer than the read-ahead; then all of them. */
    private static List<TraceEvent> events(SplittableRandom random) {
        List<TraceEvent> events = new ArrayList<>();
        int[] next = new int[20];
        for (int i = 0; i < 25_000; i++) {
            int client = i < 12_000 ? 0 : random.nextInt(20);
            SyntheticObject object = new SyntheticObject(client * 100_000L + next[client]++, RequestClass.STATIC, 1);
            events.add(TraceEvent.get(0, client, object, 0));
        }
        return events;
    }

    private record ListTrace(List<TraceEvent> events) implements Trace {
        @Override
        public String name() {
            return "list";
        }

        @Override
        public EventStream open() {
            var iterator = events.iterator();
            return new EventStream() {
                @Override
                public @Nullable TraceEvent next() {
                    return iterator.hasNext() ? iterator.next() : null;
                }

                @Override
                public ReadReport report() {
                    return ReadReport.EMPTY;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public OptionalLong eventCount() {
            return OptionalLong.of(events.size());
        }
    }
}
