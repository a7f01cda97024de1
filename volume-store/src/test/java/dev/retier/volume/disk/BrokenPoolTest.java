package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.disk.PoolCheck.Finding;
import dev.retier.volume.disk.PoolCheck.Kind;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRecord.Stamp;
import dev.retier.volume.worlds.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A pool of whose files something is not what was written, or is missing. */
class BrokenPoolTest {
    private static final int SEGMENT = 64 << 10;
    private static final Pool.Limits LIMITS = new Pool.Limits(SEGMENT, 64L * SEGMENT);
    private static final int BLOCKS = 12;
    private static final int UNREADABLE = -1;

    private final MemoryDisk disk = new MemoryDisk();
    /** What the volumes have, by name. */
    private Map<String, int[]> state = Map.of();

    /** Some that were brought to the clusters twice, with a snapshot, and some that the journal alone has. */
    private void make(SplittableRandom random) throws IOException {
        Pool.make(disk, new UUID(1, 2), new Geometry(2));
        try (Pool pool = Pool.open(disk, LIMITS, Runnable::run)) {
            int checkpoints = 0;
            for (int step = 0; step < 24 || checkpoints < 2; step++) {
                int what = step < 2 ? 0 : random.nextInt(8);
                Map<String, int[]> next = new HashMap<>(state);
                if (what == 0 && next.size() < 3) {
                    String name = "v" + next.size();
                    var _ = pool.create(new VolumeName(name), (long) BLOCKS * Geometry.BLOCK_BYTES);
                    next.put(name, new int[BLOCKS]);
                } else if (what == 1) {
                    pool.checkpoint();
                    checkpoints++;
                } else {
                    write(pool, next, step, random);
                }
                state = next;
            }
            pool.flush();
        }
    }

    private static void write(Pool pool, Map<String, int[]> next, int step, SplittableRandom random)
            throws IOException {
        String name = "v" + random.nextInt(next.size());
        int block = random.nextInt(BLOCKS);
        int volume = pool.catalogue().numberOf(new VolumeName(name)).orElseThrow();
        pool.write(
                volume,
                new Stamp(0, step),
                block,
                ByteBuffer.allocate(Geometry.BLOCK_BYTES).putInt(0, step + 1));
        int[] content = Objects.requireNonNull(next.get(name)).clone();
        content[block] = step + 1;
        next.put(name, content);
    }

    private String anyFile(SplittableRandom random) {
        List<String> names = new ArrayList<>(disk.list(""));
        for (String folder : List.of("journal", "maps")) {
            disk.list(folder).forEach(name -> names.add(folder + "/" + name));
        }
        return names.get(random.nextInt(names.size()));
    }

    /** What was done, for people. */
    private String breakSomething(SplittableRandom random) throws IOException {
        String name = anyFile(random);
        try (DiskFile file = disk.open(name)) {
            int size = Math.toIntExact(file.size());
            if (size == 0 || random.nextInt(8) == 0) {
                disk.delete(name);
                return name + " deleted";
            }
            int at = random.nextInt(random.nextBoolean() ? size : Math.min(size, 128));
            if (random.nextInt(4) == 0) {
                file.truncate(at);
                return name + " cut to " + at;
            }
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, at);
            int mask = 1 + random.nextInt(255);
            file.write(one.put(0, (byte) (one.get(0) ^ mask)).rewind(), at);
            return name + " with byte " + at + " another by " + mask;
        }
    }

    /** What can be read. */
    private static Map<String, int[]> contents(Pool pool) {
        Map<String, int[]> found = new HashMap<>();
        pool.catalogue().volumes().forEach((number, entry) -> {
            int[] content = new int[BLOCKS];
            for (int block = 0; block < BLOCKS; block++) {
                ByteBuffer into = ByteBuffer.allocate(Geometry.BLOCK_BYTES);
                try {
                    var _ = pool.read(number, block, into);
                    content[block] = into.getInt(0);
                } catch (IOException broken) {
                    content[block] = UNREADABLE;
                }
            }
            found.put(entry.name().value(), content);
        });
        return found;
    }

    private static boolean isOf(Map<String, int[]> found, Map<String, int[]> state) {
        if (!found.keySet().equals(state.keySet())) {
            return false;
        }
        for (Map.Entry<String, int[]> each : found.entrySet()) {
            int[] had = Objects.requireNonNull(state.get(each.getKey()));
            for (int block = 0; block < BLOCKS; block++) {
                int has = each.getValue()[block];
                if (has != UNREADABLE && has != had[block]) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isWhole(Map<String, int[]> found) {
        return found.values().stream()
                .noneMatch(content -> Arrays.stream(content).anyMatch(has -> has == UNREADABLE));
    }

    @Test
    void shouldSayWhatIsBrokenOrHaveWhatItHad_whateverByteIsAnother() throws IOException {
        for (int seed = 0; seed < Repeats.of(600); seed++) {
            new BrokenPoolTest().tried(seed);
        }
    }

    private void tried(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        make(random);
        String what = "seed " + seed + ": " + breakSomething(random);
        List<Finding> findings = PoolCheck.of(disk.afterKill(), (_, _) -> {});
        boolean isSaid = findings.stream().anyMatch(finding -> finding.kind() != Kind.FACT);
        try (Pool pool = Pool.open(disk, LIMITS, Runnable::run)) {
            Map<String, int[]> found = contents(pool);
            assertThat(isOf(found, state)).as("%s: %s", what, findings).isTrue();
            if (!isWhole(found) && !what.contains("cut")) {
                assertThat(isSaid).as(what).isTrue();
            }
        } catch (IOException broken) {
            assertThat(broken).as(what).message().containsPattern("pool|catalogue-|journal|maps/|clusters|sums");
            assertThat(isSaid).as("%s: %s", what, broken).isTrue();
        }
    }
}
