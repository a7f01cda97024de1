package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.testsupport.verbs.Kind;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for operations serves their queue: {@link Operations}, {@link Gathering} and {@link Work}. */
@Timeout(30)
class OperationsTest {
    private final VerbsWorld world = new VerbsWorld();
    private final TwoEnds ends;
    private final MemorySegment remote = TwoEnds.word();
    private final IbvMr theirs;
    private final List<MemorySegment> givenBack = Collections.synchronizedList(new ArrayList<>());

    OperationsTest() throws IOException {
        ends = new TwoEnds(world);
        theirs = ends.answering.register(remote, IbvMr.IBV_ACCESS_REMOTE_READ);
        world.letWait(true);
        world.holdCompletions(true);
    }

    private Operations operations(LinkConfig.Pace pace) {
        return new Operations(ends.sends, pace);
    }

    /** Begins one more read for {@code gathering}. */
    private Work read(Gathering<String> gathering, String name, Operations on) throws IOException {
        Work work = gathering.add(name, on, TwoEnds.word(), givenBack::add);
        IbvSendWR read = ends.read(remote, theirs);
        read.setWr_id(ends.sends.nextId());
        ends.sends.expect(read.getWr_id(), (_, _) -> work.done());
        ends.asking.post(List.of(read));
        return work;
    }

    /** How all of it ended. */
    private static Map<String, Work.Ending> await(Gathering<String> gathering, long deadlineNanos) {
        Map<String, Work.Ending> endings = new HashMap<>();
        gathering.await(deadlineNanos, (name, work) -> endings.put(name, work.ending()));
        return endings;
    }

    private static long inTwentySeconds() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    }

    /** Waits for a read of its own on a thread of its own, which tells how it ended. */
    private Thread waiter(Operations operations, BlockingQueue<String> news) {
        return Thread.ofPlatform().daemon().start(() -> {
            Gathering<String> gathering = new Gathering<>();
            try {
                read(gathering, "it", operations);
            } catch (IOException failed) {
                news.add("failed: " + failed.getMessage());
                return;
            }
            news.add("begun");
            news.add(await(gathering, inTwentySeconds())
                    + (Thread.currentThread().isInterrupted() ? " interrupted" : ""));
        });
    }

    private static void untilItSleeps(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldShowHowEachEnded_whenAllHaveArrived() throws IOException {
        Gathering<String> gathering = new Gathering<>();
        Operations operations = operations(LinkConfig.Pace.SYSTEM);
        read(gathering, "a", operations);
        gathering.add("b", operations, TwoEnds.word(), givenBack::add).notDone("no room");
        gathering.add("c", operations, TwoEnds.word(), givenBack::add).unknown("the connection broke");
        world.releaseCompletions(false);

        assertThat(await(gathering, inTwentySeconds()))
                .isEqualTo(Map.of("a", Work.Ending.DONE, "b", Work.Ending.FAILED, "c", Work.Ending.FAILED));
        assertThat(givenBack).hasSize(3);
    }

    @Test
    void shouldBeWoken_whenTheAnswersComeLater() throws Exception {
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        Thread waiter = waiter(operations(LinkConfig.Pace.SYSTEM), news);
        assertThat(news.take()).isEqualTo("begun");
        world.releaseCompletions(false);

        assertThat(news.poll(10, TimeUnit.SECONDS)).isEqualTo("{it=DONE}");
        waiter.join();
    }

    @Test
    void shouldHandTheServiceOn_whenSeveralThreadsWait() throws Exception {
        Operations operations = operations(LinkConfig.Pace.SYSTEM);
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        for (int i = 0; i < 3; i++) {
            waiter(operations, news);
            assertThat(news.take()).isEqualTo("begun");
        }
        world.releaseCompletions(true);

        for (int i = 0; i < 3; i++) {
            assertThat(news.poll(10, TimeUnit.SECONDS)).isEqualTo("{it=DONE}");
        }
    }

    @Test
    void shouldLetTheNextServe_whenTheOneWhoServedHasItsAnswer() throws Exception {
        Operations operations = operations(LinkConfig.Pace.SYSTEM);
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        untilItSleeps(waiter(operations, news));
        assertThat(news.take()).isEqualTo("begun");
        world.hold(Kind.READ);
        untilItSleeps(waiter(operations, news));
        assertThat(news.take()).isEqualTo("begun");
        world.releaseCompletions(false);
        assertThat(news.poll(10, TimeUnit.SECONDS)).as("the first").isEqualTo("{it=DONE}");
        world.release();
        world.releaseCompletions(false);

        assertThat(news.poll(10, TimeUnit.SECONDS)).as("the second").isEqualTo("{it=DONE}");
    }

    @Test
    void shouldLetAWaiterServe_whenTheOneWhoTidiedHasDone() throws Exception {
        Operations operations = operations(LinkConfig.Pace.SYSTEM);
        CompletableFuture<Void> handled = new CompletableFuture<>();
        IbvSendWR late = ends.read(remote, theirs);
        late.setWr_id(ends.sends.nextId());
        ends.sends.expect(late.getWr_id(), (_, _) -> handled.join());
        ends.asking.post(List.of(late));
        world.releaseCompletions(false);
        Thread tidying = Thread.ofPlatform().daemon().start(operations::tidy);
        while (tidying.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        Thread waiter = waiter(operations, news);
        assertThat(news.take()).isEqualTo("begun");
        untilItSleeps(waiter);
        handled.complete(null);
        tidying.join();
        world.releaseCompletions(false);

        assertThat(news.poll(10, TimeUnit.SECONDS)).isEqualTo("{it=DONE}");
    }

    @Test
    void shouldWaitNoLonger_whenTheThreadIsInterrupted() throws Exception {
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        Thread waiter = waiter(operations(LinkConfig.Pace.SYSTEM), news);
        news.take();
        waiter.interrupt();

        assertThat(news.poll(10, TimeUnit.SECONDS)).isEqualTo("{it=TIMED_OUT} interrupted");
        assertThat(givenBack).as("the read may still come").isEmpty();
        world.releaseCompletions(false);
        operations(LinkConfig.Pace.SYSTEM).tidy();
        assertThat(givenBack).hasSize(1);
    }

    @Test
    void shouldWaitNoLonger_whenAnotherThreadEndsTheConnection() throws Exception {
        Operations operations = operations(LinkConfig.Pace.SYSTEM);
        BlockingQueue<Work> begun = new LinkedBlockingQueue<>();
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        Thread waiter = Thread.ofPlatform().daemon().start(() -> {
            Gathering<String> gathering = new Gathering<>();
            begun.add(gathering.add("it", operations, TwoEnds.word(), givenBack::add));
            news.add(await(gathering, inTwentySeconds()).toString());
        });
        Work work = begun.take();
        untilItSleeps(waiter);
        work.unknown("the connection is lost");

        assertThat(news.poll(10, TimeUnit.SECONDS)).isEqualTo("{it=FAILED}");
    }

    @Test
    void shouldWaitNoLonger_whenTheQueueFails() throws IOException {
        Gathering<String> gathering = new Gathering<>();
        read(gathering, "a", operations(LinkConfig.Pace.SYSTEM));
        world.fail("pollCQ", 1);

        assertThat(await(gathering, inTwentySeconds())).containsEntry("a", Work.Ending.TIMED_OUT);
    }

    @Test
    void shouldWaitUntilTheDeadline_whenNoAnswerComes() throws IOException {
        AtomicLong nowNanos = new AtomicLong(1_000_000);
        Operations operations = operations(new LinkConfig.Pace(() -> nowNanos.getAndAdd(1_000_000), false));
        Gathering<String> gathering = new Gathering<>();
        read(gathering, "a", operations);

        assertThat(await(gathering, 20_000_000)).containsEntry("a", Work.Ending.TIMED_OUT);
        assertThat(operations.nowNanos()).isBetween(20_000_000L, 30_000_000L);
        assertThat(givenBack).isEmpty();
    }

    @Test
    void shouldNotEvenLook_whenTheDeadlineIsOver() throws IOException {
        Operations operations = operations(new LinkConfig.Pace(() -> 5000, false));
        Gathering<String> gathering = new Gathering<>();
        read(gathering, "a", operations);
        world.releaseCompletions(false);

        assertThat(await(gathering, 5000)).containsEntry("a", Work.Ending.TIMED_OUT);
    }

    @Test
    void shouldTakeWhatHasCome_whenThereAreNoThreads() throws IOException {
        Operations operations = operations(LinkConfig.Pace.byHand(() -> 0));
        Gathering<String> first = new Gathering<>();
        read(first, "a", operations);
        world.releaseCompletions(false);
        assertThat(await(first, 0)).containsEntry("a", Work.Ending.DONE);

        Gathering<String> second = new Gathering<>();
        read(second, "b", operations);
        assertThat(await(second, Long.MAX_VALUE)).containsEntry("b", Work.Ending.TIMED_OUT);
    }

    @Test
    void shouldGiveTheBufferBackOnce_whenBothAreDoneWithIt() {
        Gathering<String> gathering = new Gathering<>();
        MemorySegment early = TwoEnds.word();
        MemorySegment late = TwoEnds.word();
        Operations operations = operations(LinkConfig.Pace.byHand(() -> 0));
        gathering.add("early", operations, early, givenBack::add).done();
        Work slow = gathering.add("late", operations, late, givenBack::add);
        assertThat(slow.buffer()).isSameAs(late);
        assertThat(givenBack).as("the caller has not looked yet").isEmpty();

        await(gathering, 0);
        assertThat(givenBack).containsExactly(early);
        slow.done();
        assertThat(givenBack).containsExactly(early, late);
    }

    @Test
    void shouldMissOnlyWhatHasNotArrived_whenSeveralAreGathered() {
        Gathering<String> gathering = new Gathering<>();
        Operations operations = operations(LinkConfig.Pace.byHand(() -> 0));
        assertThat(gathering.isMissing()).isFalse();
        Work a = gathering.add("a", operations, TwoEnds.word(), givenBack::add);
        Work b = gathering.add("b", operations, TwoEnds.word(), givenBack::add);
        assertThat(gathering.isSeveral()).isTrue();
        a.done();
        assertThat(gathering.isSeveral()).isFalse();
        assertThat(gathering.isMissing()).isTrue();
        b.done();
        assertThat(gathering.isMissing()).isFalse();
    }

    @Test
    void shouldWakeItsOwner_whenTheLastArrivesOnAnotherThread() throws InterruptedException {
        // Somebody else serves the queue, so that the owner parks.
        Operations operations = operations(LinkConfig.Pace.SYSTEM);
        BlockingQueue<String> news = new LinkedBlockingQueue<>();
        untilItSleeps(waiter(operations, news));
        assertThat(news.take()).isEqualTo("begun");
        BlockingQueue<Work> works = new LinkedBlockingQueue<>();
        Thread owner = Thread.ofPlatform().daemon().start(() -> {
            Gathering<String> gathering = new Gathering<>();
            works.add(gathering.add("a", operations, TwoEnds.word(), givenBack::add));
            news.add(await(gathering, inTwentySeconds()).toString());
        });
        Work work = works.take();
        untilItSleeps(owner);
        work.done();

        assertThat(news.poll(10, TimeUnit.SECONDS)).isEqualTo("{a=DONE}");
    }

    @Test
    void shouldFreeTheQueue_whenItIsDestroyed() {
        ends.asking.destroy();
        int before = world.live().getOrDefault("createCQ", 0);
        operations(LinkConfig.Pace.SYSTEM).destroy();

        assertThat(world.live()).containsEntry("createCQ", before - 1);
    }
}
