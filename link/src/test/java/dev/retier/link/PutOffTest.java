package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Logged;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What follows from completions, by a queue that tells of them. */
class PutOffTest {
    private final VerbsWorld world = new VerbsWorld();
    private final List<Long> told = new ArrayList<>();

    @Test
    void shouldDoOnceAfterAll_whatFollowsFromSeveral() throws IOException {
        Reads reads = new Reads(world, told, 4);
        Runnable answer = () -> told.add(0L);
        long id = reads.queue.nextId();
        reads.queue.expectEach(id, (_, _) -> {
            told.add(id);
            reads.queue.afterwards(answer);
        });
        reads.post(id);
        reads.post(id);
        reads.queue.drain();
        assertThat(told).containsExactly(id, id, 0L);

        reads.queue.drain();
        assertThat(told).as("once").hasSize(3);
        reads.queue.afterwards(answer);
        assertThat(told).as("at once, as nobody tells of any").containsExactly(id, id, 0L, 0L);
    }

    @Test
    void shouldPutOffNothingForLong_whenManyHaveEndedAtOnce() throws IOException {
        Reads reads = new Reads(world, told, 4);
        Runnable answer = () -> told.add(0L);
        List<Boolean> behind = new ArrayList<>();
        long id = reads.queue.nextId();
        reads.queue.expectEach(id, (_, _) -> {
            behind.add(reads.queue.isBehind());
            told.add(id);
            reads.queue.afterwards(answer);
            reads.ends.nanos.addAndGet(60_000);
        });
        for (int i = 0; i < 4; i++) {
            reads.post(id);
        }
        reads.queue.drain();

        assertThat(told).containsExactly(id, id, 0L, id, id, 0L);
        assertThat(behind).containsExactly(false, false, true, true);
        assertThat(reads.queue.isBehind()).isFalse();
    }

    @Test
    void shouldDoForOthersWhatTheyPutOff_whenItHasTold() throws IOException {
        Reads reads = new Reads(world, told, 4);
        List<Thread> by = new CopyOnWriteArrayList<>();
        long id = reads.queue.nextId();
        reads.queue.expect(id, (_, _) -> {
            ended(() -> reads.queue.afterwards(() -> by.add(Thread.currentThread())));
            assertThat(by).as("not while it tells").isEmpty();
            told.add(id);
        });
        reads.post(id);
        reads.queue.help(() -> !told.isEmpty());
        assertThat(by).containsExactly(Thread.currentThread());

        ended(() -> reads.queue.afterwards(() -> by.add(Thread.currentThread())));
        assertThat(by).as("by itself, as nobody tells of any").hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void shouldLeaveNothingToAThreadThatTellsForLong() throws IOException {
        Reads reads = new Reads(world, told, 4);
        List<Thread> by = new CopyOnWriteArrayList<>();
        long id = reads.queue.nextId();
        reads.queue.expect(id, (_, _) -> {
            reads.ends.nanos.addAndGet(99_000);
            ended(() -> reads.queue.afterwards(() -> told.add(id)));
            assertThat(told).as("it may have done in a moment").isEmpty();
            reads.ends.nanos.addAndGet(1_001);
            ended(() -> reads.queue.afterwards(() -> by.add(Thread.currentThread())));
            assertThat(by).as("by itself").hasSize(1).doesNotContain(Thread.currentThread());
        });
        reads.post(id);
        reads.queue.drain();

        assertThat(told).containsExactly(id);
    }

    @Test
    void shouldGoOn_whenWhatWasPutOffFails() throws IOException {
        Reads reads = new Reads(world, told, 4);
        long id = reads.queue.nextId();
        reads.queue.expect(id, (_, _) -> {
            reads.queue.afterwards(() -> {
                throw new IllegalStateException("a fault");
            });
            reads.queue.afterwards(() -> told.add(id));
        });
        reads.post(id);
        try (Logged logged = new Logged()) {
            reads.queue.drain();
            assertThat(logged.warnings("could not be done")).hasSize(1);
        }

        assertThat(told).containsExactly(id);
    }

    @Test
    void shouldDoWithTheNextLook_whatWaitsForOne() throws IOException {
        Reads reads = new Reads(world, told, 4);
        reads.queue.withNextLook(() -> told.add(0L));
        assertThat(told).isEmpty();
        reads.queue.drain();
        reads.queue.drain();
        assertThat(told).containsExactly(0L);
    }

    /** Who waits for an event may look no more until something comes, which may be the answer to what was put off. */
    @Test
    void shouldDoAtOnceWhatWaitsForALook_whenAThreadWaitsForAnEvent() throws IOException {
        Reads reads = new Reads(world, told, 4);
        List<Long> toldBeforeItWaits = new ArrayList<>();
        assertThat(reads.queue.await(
                        () -> {
                            ended(() -> reads.queue.withNextLook(() -> told.add(0L)));
                            return toldBeforeItWaits.addAll(told);
                        },
                        1))
                .isTrue();
        assertThat(toldBeforeItWaits).containsExactly(0L);
    }

    /** Does {@code work} on a thread of its own, until that is over. */
    private static void ended(Runnable work) {
        CompletableFuture.runAsync(work, Thread.ofPlatform()::start).join();
    }
}
