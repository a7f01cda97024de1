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
    /** By its clock all is quick, so that what comes meanwhile is taken together. */
    private final DiskThreads one = new DiskThreads(1, 4096, new Means(Means.SYSTEM.threads(), () -> 0));

    private final DiskThreads.Line line = one.new Line();
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayBegin = new CountDownLatch(1);

    /** The thread is at something else until {@link #mayBegin}. */
    private void keepBusy() {
        one.new Line().add(_ -> awaitBegin());
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
        line.add(_ -> {
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
        DiskThreads.Line both = two.new Line();
        CountDownLatch isSlow = new CountDownLatch(1);
        both.add(_ -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            DiskThreads.afterwards(isSlow::countDown);
        });
        isSlow.await();
        CountDownLatch other = new CountDownLatch(1);
        both.add(_ -> awaitBegin());
        both.add(_ -> other.countDown());

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
}
