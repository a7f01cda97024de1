package dev.retier.volume.config;

import dev.retier.volume.VolumeName;
import java.time.Duration;
import java.util.Map;

/**
 * How a volume server cares for what it has.
 *
 * @param forcesAll whether each change is on the disk before it is answered, as if its client had asked for that
 * @param scrubRate with how many bytes per second it reads all it has, to prove it; 0 for never
 * @param scrubEvery from one beginning of that to the next, at least
 * @param priorities of volumes, from 1, the highest, which others have: while requests of several wait for a disk
 *     thread, one of priority 2 gets half of the bytes that one of priority 1 gets
 */
public record Care(boolean forcesAll, long scrubRate, Duration scrubEvery, Map<VolumeName, Integer> priorities) {
    /** What clients ask for, and no more. */
    public static final Care LEAST = new Care(false, 0, Duration.ofDays(1), Map.of());

    /** The priority of a volume that is not named. */
    public static final int HIGHEST = 1;

    /** Keeps its own copy. */
    public Care {
        priorities = Map.copyOf(priorities);
    }

    /** Of that volume. */
    public int priority(VolumeName volume) {
        return priorities.getOrDefault(volume, HIGHEST);
    }
}
