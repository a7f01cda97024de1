package dev.retier.volume.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.cache.MultiQueue.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MultiQueueTest {
    private static final int VOLUME = 7;

    /** Reads what is named, a letter for a block, and puts what is not here. */
    private static MultiQueue after(Shape shape, String blocks) {
        MultiQueue queue = new MultiQueue(shape);
        blocks.chars().forEach(block -> use(queue, block));
        return queue;
    }

    private static void use(MultiQueue queue, int block) {
        long key = BlockKey.of(VOLUME, block);
        if (queue.read(key) == MultiQueue.NONE) {
            queue.put(key);
        }
    }

    private static String here(MultiQueue queue) {
        StringBuilder found = new StringBuilder();
        for (char block = 'a'; block <= 'z'; block++) {
            if (queue.find(BlockKey.of(VOLUME, block)) != MultiQueue.NONE) {
                found.append(block);
            }
        }
        return found.toString();
    }

    /** Section 4: the victim is at the front of the lowest queue that is not empty. */
    @Test
    void shouldKeepWhoWasUsedMoreOften_whenOneMustLeave() {
        assertThat(here(after(new Shape(2, 2, 0, 100), "aabc"))).isEqualTo("ac");
        assertThat(here(after(new Shape(2, 1, 0, 100), "aabc"))).as("LRU").isEqualTo("bc");
    }

    /** b comes again, has been used twice with that, and is in the upper queue behind a, which leaves for d. */
    @Test
    void shouldRememberHowOftenItWasUsed_whenOneHasLeft() {
        assertThat(here(after(new Shape(2, 2, 2, 100), "aabcbd"))).isEqualTo("bd");
        assertThat(here(after(new Shape(2, 2, 0, 100), "aabcbd")))
                .as("forgotten")
                .isEqualTo("ad");
        assertThat(here(after(new Shape(2, 2, 1, 100), "aabcbd")))
                .as("c has left since")
                .isEqualTo("ad");
    }

    /** a is used last at 2, and goes down behind c when that is used at 4: so c leaves for d, and a for e. */
    @Test
    void shouldGoDown_whenNobodyHasUsedItForTheLifetime() {
        assertThat(here(after(new Shape(2, 2, 0, 2), "aabcde"))).isEqualTo("de");
        assertThat(here(after(new Shape(2, 2, 0, 100), "aabcde"))).isEqualTo("ae");
    }

    @Test
    void shouldCountWhatItDoes() {
        MultiQueue queue = after(new Shape(2, 8, 2, 100), "aabc");
        queue.putAhead(BlockKey.of(VOLUME, 'x'));
        use(queue, 'x');
        queue.putAhead(BlockKey.of(VOLUME, 'y'));
        queue.put(BlockKey.of(VOLUME, 'y'));

        assertThat(queue.figures()).isEqualTo(new CacheFigures(2, 2, 2, 3, 3, 1, 1));
        assertThat(queue.figures().hitShare()).isEqualTo(0.4);
    }

    /** What was read ahead for nobody is the first to go, and is not remembered. */
    @Test
    void shouldLetGoFirstOfWhatNobodyAskedFor() {
        MultiQueue queue = after(new Shape(3, 8, 3, 100), "aabb");
        queue.putAhead(BlockKey.of(VOLUME, 'x'));
        use(queue, 'c');

        assertThat(here(queue)).isEqualTo("abc");
        assertThat(queue.figures().aheadUnused()).isEqualTo(1);
        assertThatThrownBy(() -> queue.putAhead(BlockKey.of(VOLUME, 'a'))).isInstanceOf(IllegalStateException.class);
    }

    /** Of few blocks and of many, which it looks for in two ways. */
    @Test
    void shouldRemoveThoseOfOneVolumeInARange() {
        for (long end : new long[] {'d', 1000, Long.MAX_VALUE}) {
            MultiQueue queue = after(CachePolicy.MQ.shape(9), "abcdef");
            queue.put(BlockKey.of(VOLUME + 1, 'c'));
            queue.remove(VOLUME, 'b', end);

            assertThat(here(queue)).isEqualTo(end == 'd' ? "adef" : "a");
            assertThat(queue.find(BlockKey.of(VOLUME + 1, 'c'))).isNotEqualTo(MultiQueue.NONE);
            assertThat(queue.figures().used()).isEqualTo(end == 'd' ? 5 : 2);
        }
    }

    /** As the source's Figure 4 says it, with lists. */
    private static final class Paper {
        private final Shape shape;
        private final List<Deque<Integer>> queues = new ArrayList<>();
        private final Map<Integer, Integer> references = new HashMap<>();
        private final Map<Integer, Long> expireTime = new HashMap<>();
        private final LinkedHashMap<Integer, Integer> out = new LinkedHashMap<>();
        private long currentTime;

        Paper(Shape shape) {
            this.shape = shape;
            for (int i = 0; i < shape.queues(); i++) {
                queues.add(new ArrayDeque<>());
            }
        }

        void use(int block) {
            if (!references.containsKey(block)) {
                if (references.size() == shape.frames()) {
                    evict();
                }
                Integer before = out.remove(block);
                references.put(block, before == null ? 0 : before);
            }
            queues.forEach(queue -> queue.remove(block));
            int uses = references.merge(block, 1, Integer::sum);
            int log = (int) (Math.log(uses) / Math.log(2) + 1e-9);
            queues.get(Math.min(log, shape.queues() - 1)).addLast(block);
            expireTime.put(block, currentTime + shape.lifetime());
            currentTime++;
            for (int k = 1; k < shape.queues(); k++) {
                Integer first = queues.get(k).peekFirst();
                if (first != null && expireTime.getOrDefault(first, 0L) < currentTime) {
                    queues.get(k).removeFirst();
                    queues.get(k - 1).addLast(first);
                    expireTime.put(first, currentTime + shape.lifetime());
                }
            }
        }

        private void evict() {
            for (Deque<Integer> queue : queues) {
                if (!queue.isEmpty()) {
                    int victim = queue.removeFirst();
                    if (out.size() == shape.remembered() && !out.isEmpty()) {
                        out.remove(out.keySet().iterator().next());
                    }
                    int uses = java.util.Objects.requireNonNull(references.remove(victim));
                    if (shape.remembered() > 0) {
                        out.put(victim, uses);
                    }
                    return;
                }
            }
        }
    }

    @Test
    void shouldDoAsThePaperSays_whateverIsUsed() {
        for (long seed = 1; seed <= Repeats.of(60); seed++) {
            Random random = new Random(seed);
            int frames = 1 + random.nextInt(12);
            Shape shape = new Shape(frames, 1 + random.nextInt(5), random.nextInt(20), 1 + random.nextInt(60));
            MultiQueue queue = new MultiQueue(shape);
            Paper paper = new Paper(shape);
            for (int step = 0; step < 300; step++) {
                int block = (int) Math.abs(random.nextGaussian() * frames);
                use(queue, block);
                paper.use(block);
                check(queue, paper.references.keySet(), shape, "seed " + seed + ", step " + step);
            }
        }
    }

    private static void check(MultiQueue queue, Set<Integer> blocks, Shape shape, String where) {
        assertThat(queue.figures().used()).as(where).isEqualTo(blocks.size()).isLessThanOrEqualTo(shape.frames());
        Set<Integer> frames = new HashSet<>();
        for (int block : blocks) {
            int frame = queue.find(BlockKey.of(VOLUME, block));
            assertThat(frame).as("%s, block %d", where, block).isBetween(0, shape.frames() - 1);
            assertThat(frames.add(frame)).as(where).isTrue();
        }
    }

    /** One queue, and nobody is remembered. */
    @Test
    void shouldBeLru_whenThereIsOneQueue() {
        for (long seed = 1; seed <= Repeats.of(30); seed++) {
            Random random = new Random(seed);
            int frames = 1 + random.nextInt(12);
            MultiQueue queue = new MultiQueue(CachePolicy.LRU.shape(frames));
            LinkedHashMap<Integer, Boolean> lru = new LinkedHashMap<>(16, 0.75F, true);
            for (int step = 0; step < 300; step++) {
                int block = random.nextInt(2 * frames);
                use(queue, block);
                lru.put(block, true);
                if (lru.size() > frames) {
                    lru.remove(lru.keySet().iterator().next());
                }
                check(queue, lru.keySet(), CachePolicy.LRU.shape(frames), "seed " + seed + ", step " + step);
            }
        }
    }

    /** Puts, reads, reads ahead and removes: never more than there is room for, and a frame is one block's. */
    @Test
    void shouldHoldEachFrameOnce_whateverHappens() {
        for (long seed = 1; seed <= Repeats.of(60); seed++) {
            Random random = new Random(seed);
            int most = 1 + random.nextInt(20);
            MultiQueue queue = new MultiQueue((random.nextBoolean() ? CachePolicy.MQ : CachePolicy.LRU).shape(most));
            for (int step = 0; step < 300; step++) {
                int block = random.nextInt(40);
                long key = BlockKey.of(VOLUME, block);
                switch (random.nextInt(8)) {
                    case 0 -> queue.remove(VOLUME, block, block + random.nextInt(50));
                    case 1, 2 -> {
                        if (queue.find(key) == MultiQueue.NONE) {
                            queue.putAhead(key);
                        }
                    }
                    case 3, 4 -> queue.read(key);
                    default -> queue.put(key);
                }
                Set<Integer> here = new HashSet<>();
                for (int each = 0; each < 40; each++) {
                    if (queue.find(BlockKey.of(VOLUME, each)) != MultiQueue.NONE) {
                        here.add(each);
                    }
                }
                check(queue, here, CachePolicy.LRU.shape(most), "seed " + seed + ", step " + step);
            }
        }
    }
}
