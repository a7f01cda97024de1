package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.ibm.disni.verbs.IbvSendWR;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PostsTest {
    private final Queue<IbvSendWR> offered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger posted = new AtomicInteger();
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();

    private List<IbvSendWR> next() {
        List<IbvSendWR> taken = new ArrayList<>();
        for (IbvSendWR one = offered.poll(); one != null; one = offered.poll()) {
            taken.add(one);
        }
        return taken;
    }

    private Posts posts(Posts.Posting posting) {
        return new Posts(Runnable::run, posting, broken::add, this::next);
    }

    @Test
    void shouldPostTogether_whatWasOfferedMeanwhile() {
        List<Integer> sizes = new ArrayList<>();
        Posts posts = posts(requests -> sizes.add(requests.size()));
        offered.add(new IbvSendWR());
        offered.add(new IbvSendWR());
        posts.flush();
        posts.flush();
        assertThat(sizes).containsExactly(2);
    }

    /** Others find the lock taken and leave; nobody comes again when the one who posts has done its share. */
    @Test
    void shouldLeaveNothing_whenOthersOfferForLongerThanOneThreadPosts() {
        int all = 100;
        AtomicInteger left = new AtomicInteger(all);
        AtomicInteger byFirst = new AtomicInteger();
        Thread first = Thread.currentThread();
        Posts[] posts = new Posts[1];
        posts[0] = posts(requests -> {
            posted.addAndGet(requests.size());
            byFirst.addAndGet(Thread.currentThread().equals(first) ? 1 : 0);
            if (left.decrementAndGet() > 0) {
                Thread other = Thread.startVirtualThread(() -> {
                    offered.add(new IbvSendWR());
                    posts[0].flush();
                });
                join(other);
            }
        });
        offered.add(new IbvSendWR());
        posts[0].flush();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(posted).hasValue(all));
        assertThat(byFirst).as("by one thread at a stretch").hasValue(16);
        assertThat(broken).isEmpty();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void shouldTell_whenItCannotPost() {
        Posts failing = posts(_ -> {
            throw new IOException("it is over");
        });
        offered.add(new IbvSendWR());
        failing.flush();
        Posts faulty = posts(_ -> {
            throw new IllegalStateException("a fault");
        });
        offered.add(new IbvSendWR());
        faulty.flush();
        assertThat(broken).hasSize(2).first().isEqualTo("it is over");
        assertThat(broken).last().asString().contains("a fault");
    }
}
