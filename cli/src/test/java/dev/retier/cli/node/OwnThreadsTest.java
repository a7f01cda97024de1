package dev.retier.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnThreadsTest {
    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final List<Throwable> heard = new ArrayList<>();

    @AfterEach
    void putBack() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    private static void end(Thread.Builder builder, RuntimeException why) throws InterruptedException {
        builder.start(() -> {
                    throw why;
                })
                .join();
    }

    @Test
    void shouldHearOfOneOfOurs_whicheverKindItIs() throws InterruptedException {
        RuntimeException first = new IllegalStateException("one");
        RuntimeException second = new IllegalStateException("two");
        OwnThreads.whenOneEnds(heard::add);
        end(Thread.ofPlatform().name("retier-install-node-1"), first);
        end(Thread.ofVirtual().name("retier-edge-front"), second);
        end(Thread.ofVirtual().name("pool-1"), new IllegalStateException("of somebody else"));
        assertThat(heard).containsExactly(first, second);
    }
}
