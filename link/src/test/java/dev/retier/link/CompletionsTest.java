package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CompletionsTest {
    private static final long NANOS = 1_000_000_000L;

    private final VerbsWorld world = new VerbsWorld();
    private final List<Long> told = new ArrayList<>();

    @Test
    void shouldTellOnceOrEachTime_whenWorkRequestsEnd() throws IOException {
        Reads reads = new Reads(world, told, 4);
        long once = reads.expectAndPost();
        long each = reads.queue.nextId();
        reads.queue.expectEach(each, (_, _) -> told.add(each));
        reads.post(each);
        reads.queue.drain();
        reads.post(once);
        reads.post(each);
        reads.queue.drain();

        assertThat(told).containsExactly(once, each, each);
        assertThat(reads.queue.expected()).isEqualTo(1);
    }

    @Test
    void shouldTellNobody_whenTheWorkRequestWasForgotten() throws IOException {
        Reads reads = new Reads(world, told, 4);
        reads.queue.forget(reads.expectAndPost());
        reads.queue.drain();

        assertThat(told).isEmpty();
        assertThat(reads.queue.expected()).isZero();
    }

    @Test
    void shouldTellWhetherItSucceeded_whenThePeerRefuses() throws IOException {
        Reads reads = new Reads(world, told, 4);
        IbvSendWR bad = reads.ends.read(TwoEnds.word(), reads.theirs);
        bad.setWr_id(reads.queue.nextId());
        List<Boolean> endings = new ArrayList<>();
        reads.queue.expect(bad.getWr_id(), (success, _) -> endings.add(success));
        long good = reads.queue.nextId();
        reads.queue.expect(good, (success, _) -> endings.add(success));
        reads.post(good);
        reads.ends.asking.post(List.of(bad));
        reads.queue.drain();

        assertThat(endings).containsExactly(true, false);
    }

    @Test
    void shouldTakeAllAtOnce_whenMoreHaveEndedThanABatchHolds() throws IOException {
        Reads reads = new Reads(world, told, 100);
        for (int i = 0; i < 100; i++) {
            reads.expectAndPost();
        }
        reads.queue.drain();

        assertThat(told).hasSize(100).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldGoOn_whenAHandlerFails() throws IOException {
        Reads reads = new Reads(world, told, 4);
        long fails = reads.queue.nextId();
        reads.queue.expect(fails, (_, _) -> {
            throw new IllegalStateException("a fault");
        });
        reads.post(fails);
        long next = reads.expectAndPost();
        try (Logged logged = new Logged()) {
            reads.queue.drain();
            assertThat(logged.warnings("could not be handled")).hasSize(1);
        }

        assertThat(told).containsExactly(next);
    }

    @Test
    void shouldTakeWhatTheDeviceHas_whenThatIsLess() throws IOException {
        world.limitCompletionQueue(40);
        Completions queue = new Completions(TwoEnds.device(world), 256, 10);

        assertThat(queue.hasRoom(40)).isTrue();
        assertThat(queue.hasRoom(41)).isFalse();
        queue.reserve(12);
        assertThat(queue.hasRoom(28)).isTrue();
        assertThat(queue.hasRoom(29)).isFalse();
        queue.reserve(-12);
        assertThat(queue.hasRoom(40)).isTrue();
    }

    @Test
    void shouldTakeTheLeastAndNoLess_whenTheDeviceHasLittle() throws IOException {
        world.limitCompletionQueue(25);
        assertThat(new Completions(TwoEnds.device(world), 64, 25).hasRoom(25)).isTrue();
        int channels = world.live().getOrDefault("createCompChannel", 0);

        assertThatThrownBy(() -> new Completions(TwoEnds.device(world), 64, 26)).isInstanceOf(IOException.class);
        assertThat(world.live()).as("nothing is kept").containsEntry("createCompChannel", channels);
    }

    @Test
    void shouldServeFromTheThreadThatWaits_whenTheAnswerComesInAMoment() throws IOException {
        Reads reads = new Reads(world, told, 4);
        long id = reads.expectAndPost();
        reads.queue.help(() -> told.contains(id));

        assertThat(told).containsExactly(id);
    }

    @Test
    void shouldServeLessOften_whenHelpingWasInVain() throws IOException {
        Completions queue = new Completions(TwoEnds.device(world), 8, 8);
        AtomicInteger asked = new AtomicInteger();
        queue.help(() -> asked.incrementAndGet() < 0);
        assertThat(asked).hasPositiveValue();
        asked.set(0);
        queue.help(() -> asked.incrementAndGet() > 0);
        assertThat(asked).as("skipped once").hasValue(0);
        queue.help(() -> asked.incrementAndGet() > 0);
        queue.help(() -> asked.incrementAndGet() > 0);
        assertThat(asked).as("each time again, as that was of use").hasValue(2);
    }

    @Test
    void shouldWakeTheServingThreadByTheNext_whenAHelperTookTheEvent() throws IOException {
        Reads reads = new Reads(world, told, 4);
        reads.queue.arm();
        long first = reads.expectAndPost();
        reads.queue.help(() -> told.contains(first));
        assertThat(reads.wakes()).as("taken by the helper").isFalse();

        reads.expectAndPost();
        assertThat(reads.wakes()).as("asked for again").isTrue();
    }

    @Test
    void shouldMissNothing_whenMoreEndsWhileAHelperLeaves() throws IOException {
        Reads reads = new Reads(world, told, 4);
        reads.queue.arm();
        long first = reads.expectAndPost();
        world.holdCompletions(true);
        long second = reads.expectAndPost();
        reads.queue.help(() -> {
            world.releaseCompletions(false);
            return true;
        });

        assertThat(told).containsExactly(first, second);
    }

    @Test
    void shouldHelpNoMore_whenTheQueueFails() throws IOException {
        Completions queue = new Completions(TwoEnds.device(world), 8, 8);
        world.fail("pollCQ", 1);
        AtomicInteger asked = new AtomicInteger();
        queue.help(() -> asked.incrementAndGet() < 0);

        assertThat(asked).hasValue(0);
        queue.help(() -> asked.incrementAndGet() > 0);
        assertThat(asked).as("that was in vain").hasValue(0);
    }

    @Test
    void shouldAskForAnEventBeforeItLooks_whenItServes() throws IOException {
        Reads reads = new Reads(world, told, 4);
        long first = reads.expectAndPost();
        reads.queue.serve();
        assertThat(told).containsExactly(first);

        long second = reads.expectAndPost();
        assertThat(reads.wakes()).isTrue();
        reads.queue.serve();
        assertThat(told).containsExactly(first, second);
    }

    @Test
    void shouldTakeTheEvent_whenItWaited() throws IOException {
        Reads reads = new Reads(world, told, 4);
        reads.queue.arm();
        reads.expectAndPost();
        reads.queue.await(0);

        assertThat(reads.wakes()).isFalse();
    }

    @Test
    void shouldOnlyGiveUp_whenItTidiesAQueueThatFails() throws IOException {
        Reads reads = new Reads(world, told, 4);
        long id = reads.expectAndPost();
        world.fail("pollCQ", 1);
        reads.queue.tidy();
        assertThat(told).isEmpty();
        reads.queue.tidy();
        assertThat(told).containsExactly(id);
    }

    @Test
    @Timeout(10)
    void shouldLetOthersDrain_whenOneHasDone() throws Exception {
        Reads reads = new Reads(world, told, 4);
        reads.queue.drain();
        reads.queue.help(() -> true);
        long id = reads.expectAndPost();
        Thread other = Thread.ofPlatform().daemon().start(reads.queue::tidy);
        other.join();

        assertThat(told).containsExactly(id);
    }

    /** Does {@code work} on a thread of its own, until that is over. */
    private static void ended(Runnable work) {
        CompletableFuture.runAsync(work, Thread.ofPlatform()::start).join();
    }

    @Test
    void shouldFreeBoth_whenItIsDestroyed() throws IOException {
        Completions queue = new Completions(TwoEnds.device(world), 8, 8);
        queue.destroy();

        assertThat(world.live()).doesNotContainKeys("createCQ", "createCompChannel");
        queue = new Completions(TwoEnds.device(world), 8, 8);
        world.fail("destroyCQ", 1);
        queue.destroy();
        assertThat(world.live()).as("a fault goes no further").containsKey("createCQ");
    }

    @Test
    void shouldWaitByItself_whenNobodyElseDoes() throws IOException {
        Reads reads = new Reads(world, told, 4);
        long first = reads.expectAndPost();
        assertThat(reads.queue.await(() -> !told.isEmpty(), NANOS)).isTrue();
        assertThat(told).containsExactly(first);

        assertThat(reads.queue.await(() -> false, 1)).as("nothing comes").isTrue();
        long second = reads.expectAndPost();
        assertThat(reads.wakes()).as("it had asked for an event").isTrue();
        reads.queue.serve();
        assertThat(told)
                .as("left to who waits, and nothing stays behind for good")
                .containsExactly(first, second);
        long third = reads.expectAndPost();
        assertThat(reads.wakes()).as("who serves asks for none").isFalse();

        reads.ends.nanos.addAndGet(20_000_001);
        reads.queue.serve();
        reads.expectAndPost();
        assertThat(told).contains(third);
        assertThat(reads.wakes()).as("nobody has waited for long").isTrue();
    }

    @Test
    void shouldServeAgain_whenOthersHaveToBeWoken() throws IOException {
        Reads reads = new Reads(world, told, 4);
        reads.queue.leaveToWaiters();
        reads.queue.leaveToOthers(false);
        reads.expectAndPost();
        reads.queue.serve();
        reads.expectAndPost();

        assertThat(reads.wakes()).isTrue();
    }

    @Test
    void shouldLetOneWait_whenTwoWantTo() throws IOException {
        Reads reads = new Reads(world, told, 4);
        AtomicBoolean isBeside = new AtomicBoolean(true);
        BooleanSupplier another = () -> {
            ended(() -> isBeside.set(waits(reads.queue)));
            return true;
        };

        assertThat(reads.queue.await(another, NANOS)).isTrue();
        assertThat(isBeside).isFalse();
        assertThat(waits(reads.queue)).as("the first one has gone").isTrue();
    }

    private static boolean waits(Completions queue) {
        try {
            return queue.await(() -> true, NANOS);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void shouldAskForNoEvent_whileWhatComesIsLeftToOthers() throws IOException {
        Reads reads = new Reads(world, told, 4);
        reads.queue.leaveToOthers(true);
        long behind = reads.expectAndPost();
        reads.queue.serve();
        assertThat(told).as("nothing stays behind for good").containsExactly(behind);

        long id = reads.expectAndPost();
        assertThat(reads.wakes()).isFalse();
        assertThat(reads.queue.collect()).isTrue();
        assertThat(told).containsExactly(behind, id);
    }
}
