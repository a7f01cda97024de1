package dev.retier.webnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.webnode.config.Limits;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real nodes, real files, real keep-alive load: roles change and a node goes away, and no request fails. */
class RoleSwitchIT {
    private static final int CLIENTS = 12;
    private static final int MOVES = 25; // two role files each

    private Loopback loopback;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @BeforeEach
    void open(@TempDir Path folder) {
        loopback = new Loopback(folder);
        for (String name : List.of("a", "b", "c")) {
            loopback.start(name, 20_000, Limits.DEFAULTS);
        }
        loopback.makeProxy("a", 2, "b", "c");
        await().until(() -> loopback.node("a").status().appliedEpoch() == 2);
    }

    @AfterEach
    void close() {
        loopback.close();
    }

    @Test
    void shouldFailNoRequest_whenANodeChangesSidesFiftyTimes() throws Exception {
        AtomicReference<List<String>> proxies = new AtomicReference<>(List.of("a"));
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> load(proxies)));
            }
            long epoch = 3;
            for (int move = 0; move < MOVES; move++) {
                moveToProxy(epoch++, proxies);
                moveToApp(epoch++, proxies);
            }
            finish(clients);
        }
        assertThat(failures).isEmpty();
        assertThat(answered.get()).isGreaterThan(MOVES * 20);
    }

    @Test
    void shouldFailNoRequest_whenAnAppIsClosedUnderLoad() throws Exception {
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> load(new AtomicReference<>(List.of("a")))));
            }
            awaitMore(200);
            loopback.node("b").close();
            awaitMore(200);
            finish(clients);
        }
        assertThat(failures).isEmpty();
        assertThat(loopback.node("a").status().upstreams().getFirst().failuresTotal())
                .isPositive();
    }

    /** As an agent orders it: the proxies leave the node out, it drains, it switches, clients learn of it. */
    private void moveToProxy(long epoch, AtomicReference<List<String>> proxies) {
        loopback.makeProxy("a", epoch, "c");
        awaitEpoch("a", epoch);
        loopback.makeProxy("b", epoch, "c");
        awaitEpoch("b", epoch);
        proxies.set(List.of("a", "b"));
        awaitMore(20);
    }

    /** Back again; clients that have not noticed still come to it for a while. */
    private void moveToApp(long epoch, AtomicReference<List<String>> proxies) {
        loopback.makeApp("b", epoch);
        awaitEpoch("b", epoch);
        loopback.makeProxy("a", epoch, "b", "c");
        awaitEpoch("a", epoch);
        proxies.set(List.of("a"));
        awaitMore(20);
    }

    private void load(AtomicReference<List<String>> proxies) {
        for (int i = 0; !stopped.get(); i++) {
            List<String> current = proxies.get();
            String path = i % 2 == 0 ? "/static/" + i % 50 + "?size=2000" : "/dynamic/" + i;
            try {
                HttpResponse<String> answer = loopback.get(current.get(i % current.size()), path);
                if (answer.statusCode() != 200) {
                    failures.add(path + " -> " + answer.statusCode() + " " + answer.body());
                }
            } catch (RuntimeException e) {
                failures.add(path + " -> " + e);
            }
            answered.incrementAndGet();
        }
    }

    private void awaitEpoch(String name, long epoch) {
        await().until(() -> loopback.node(name).status().appliedEpoch() == epoch);
    }

    private void awaitMore(int requests) {
        int goal = answered.get() + requests;
        await().until(() -> answered.get() >= goal);
    }

    private void finish(List<Future<?>> clients) throws Exception {
        stopped.set(true);
        for (Future<?> client : clients) {
            client.get();
        }
    }
}
