package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DiskThreadsTest {
    private static final long BLOCK = 4096;
    private static final long LONG = 64 << 10;

    /** By its clock all is quick, so that what comes meanwhile is taken together. */
    private final DiskThreads one = new DiskThreads(1, 4096, new Means(Means.SYSTEM.threads(), () -> 0));

    private final DiskThreads.Line line = one.new Line(1);
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayBegin = new CountDownLatch(1);

    /** The thread is at something else until {@link #mayBegin}. */
    private void keepBusy() {
        one.new Line(1).add(BLOCK, _ -> awaitBegin());
    }

    private void awaitBegin() {
        boolean hasBegun = false;
        while (!hasBegun) {
            try {
                hasBegun = mayBegin.await(1, TimeUnit.SECONDS);
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private void add(String name, Runnable afterwards) {
        line.add(BLOCK, _ -> {
            done.add(name);
            DiskThreads.afterwards(afterwards);
        });
    }

    @Test
    void shouldDoWhatFollowsOnce_forAllThatItTookTogether() throws InterruptedException {
        Runnable post = () -> done.add("post");
        keepBusy();
        add("first", () -> {});
        for (int i = 0; i < 3; i++) {
            add("then", post);
        }
        mayBegin.countDown();
        one.close();
        assertThat(done.subList(0, 4)).containsExactly("first", "then", "then", "then");
        assertThat(done.subList(4, done.size())).containsExactly("post");
    }

    @Test
    void shouldTakeOneEach_onceTheyHaveToWait() throws InterruptedException {
        DiskThreads two = new DiskThreads(2, 4096, Means.SYSTEM);
        DiskThreads.Line both = two.new Line(1);
        CountDownLatch isSlow = new CountDownLatch(1);
        both.add(BLOCK, _ -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            DiskThreads.afterwards(isSlow::countDown);
        });
        isSlow.await();
        CountDownLatch other = new CountDownLatch(1);
        both.add(BLOCK, _ -> awaitBegin());
        both.add(BLOCK, _ -> other.countDown());

        assertThat(other.await(10, TimeUnit.SECONDS))
                .as("it does not wait behind one that waits")
                .isTrue();

        mayBegin.countDown();
        two.close();
        one.close();
    }

    @Test
    void shouldDoWhatFollowsAtOnce_elsewhere() throws InterruptedException {
        DiskThreads.afterwards(() -> done.add("here"));
        assertThat(done).containsExactly("here");
        one.close();
    }

    /** Adds requests of so many bytes each to a line. */
    private void add(DiskThreads.Line to, int count, long bytes, String name) {
        for (int i = 0; i < count; i++) {
            to.add(bytes, _ -> done.add(name));
        }
    }

    private List<String> allDone() throws InterruptedException {
        mayBegin.countDown();
        one.close();
        return done;
    }

    @Test
    void shouldTakeTurnsByBytes_whenTheRequestsOfOneAreLong() throws InterruptedException {
        keepBusy();
        add(line, 8, LONG, "long");
        add(one.new Line(1), 64, BLOCK, "short");

        assertThat(allDone().subList(0, 34).stream().filter("short"::equals))
                .as("as many bytes as two long ones")
                .hasSize(32);
    }

    @Test
    void shouldGiveHalf_toAPriorityOfTwo() throws InterruptedException {
        keepBusy();
        add(line, 64, LONG, "first");
        add(one.new Line(2), 64, LONG, "second");

        long first = allDone().subList(0, 60).stream().filter("first"::equals).count();
        assertThat(first).isBetween(38L, 42L);
    }

    @Test
    void shouldSaveNothing_whileNothingWaits() throws InterruptedException {
        CountDownLatch isBehind = new CountDownLatch(1);
        add(line, 100, LONG, "before");
        line.add(LONG, _ -> isBehind.countDown());
        isBehind.await();
        keepBusy();
        DiskThreads.Line fresh = one.new Line(1);
        add(fresh, 20, LONG, "fresh");
        add(line, 20, LONG, "same");

        List<String> since = allDone().subList(100, 120);
        assertThat(since.stream().filter("same"::equals)).hasSizeBetween(8, 12);
    }

    /** Where they wait for room in the journal, long if the disk is full, what is read waits for none of them. */
    @Test
    void shouldReadOn_whileChangesWait() throws InterruptedException {
        DiskThreads some = new DiskThreads(3, 4096, Means.SYSTEM);
        CountDownLatch atIt = new CountDownLatch(2);
        CountDownLatch changed = new CountDownLatch(20);
        List<DiskThreads.Line> lines = List.of(some.new Line(1), some.new Line(1), some.new Line(1), some.new Line(1));
        for (int change = 0; change < 20; change++) {
            lines.get(change % 4).addChange(BLOCK, _ -> {
                atIt.countDown();
                awaitBegin();
                changed.countDown();
            });
        }
        atIt.await();
        for (DiskThreads.Line each : lines) {
            CountDownLatch read = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                each.add(BLOCK, _ -> read.countDown());
            }
            assertThat(read.await(10, TimeUnit.SECONDS))
                    .as("also behind changes")
                    .isTrue();
        }
        assertThat(changed.getCount()).isEqualTo(20);

        mayBegin.countDown();
        some.close();
        assertThat(changed.getCount()).isZero();
        one.close();
    }

    /** Neither kind is ahead of the other, nor both of another line. */
    @Test
    void shouldTakeTurns_changesAndTheRestOfOneLine() throws InterruptedException {
        keepBusy();
        for (int i = 0; i < 20; i++) {
            line.addChange(LONG, _ -> done.add("change"));
        }
        add(line, 20, LONG, "read");
        add(one.new Line(1), 40, LONG, "other");

        List<String> half = allDone().subList(0, 40);
        assertThat(half.stream().filter("other"::equals)).hasSizeBetween(18, 22);
        assertThat(half.stream().filter("change"::equals)).hasSizeBetween(8, 12);
    }
}
