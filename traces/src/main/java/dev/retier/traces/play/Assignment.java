package dev.retier.traces.play;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which client goes to which target: as evenly as can be (the counts of any two targets differ by at most one), and on
 * a change of the list with as few clients moving as that allows, or as few as can be at all. Immutable, thread-safe.
 *
 * @param <T> what a target is called; equal means the same
 */
public final class Assignment<T> {
    private static final int NONE = -1;

    private final List<T> targets;
    private final int[] targetOfClient;

    private Assignment(List<T> targets, int[] targetOfClient) {
        this.targets = targets;
        this.targetOfClient = targetOfClient;
    }

    /**
     * The first distribution.
     *
     * @param clients from 1
     * @param targets at least one, without repetition
     */
    public static <T> Assignment<T> spread(int clients, List<T> targets) {
        requireTargets(targets);
        int[] ofClient = new int[clients];
        for (int client = 0; client < clients; client++) {
            ofClient[client] = client % targets.size();
        }
        return new Assignment<>(List.copyOf(targets), ofClient);
    }

    /** The distribution over {@code newTargets} (at least one) that keeps as many clients where they are as it can. */
    public Assignment<T> over(List<T> newTargets) {
        requireTargets(newTargets);
        int[] kept = keptPlaces(newTargets);
        int[] quotas = quotas(newTargets.size(), kept);
        int[] taken = new int[newTargets.size()];
        List<Integer> homeless = new ArrayList<>();
        for (int client = 0; client < kept.length; client++) {
            int target = kept[client];
            if (target != NONE && taken[target] < quotas[target]) {
                taken[target]++;
            } else {
                homeless.add(client);
            }
        }
        int target = 0;
        for (int client : homeless) {
            while (taken[target] >= quotas[target]) {
                target++;
            }
            kept[client] = target;
            taken[target]++;
        }
        return new Assignment<>(List.copyOf(newTargets), kept);
    }

    /**
     * The distribution over {@code newTargets} (at least one) in which only clients of targets that are gone move, to
     * those that have the fewest.
     */
    public Assignment<T> staying(List<T> newTargets) {
        requireTargets(newTargets);
        int[] kept = keptPlaces(newTargets);
        int[] taken = new int[newTargets.size()];
        for (int target : kept) {
            if (target != NONE) {
                taken[target]++;
            }
        }
        for (int client = 0; client < kept.length; client++) {
            if (kept[client] == NONE) {
                int fewest = IntStream.range(0, taken.length)
                        .boxed()
                        .min(Comparator.comparingInt(target -> taken[target]))
                        .orElseThrow();
                kept[client] = fewest;
                taken[fewest]++;
            }
        }
        return new Assignment<>(List.copyOf(newTargets), kept);
    }

    /**
     * The distribution in which {@code client} alone goes to another target, and the same where there is no other.
     *
     * @param turn any number that grows by one from call to call: it picks the other targets in turn
     */
    public Assignment<T> elsewhere(int client, int turn) {
        if (targets.size() == 1) {
            return this;
        }
        int[] ofClient = targetOfClient.clone();
        int other = Math.floorMod(turn, targets.size() - 1);
        ofClient[client] = other < targetOfClient[client] ? other : other + 1;
        return new Assignment<>(targets, ofClient);
    }

    /** The target of {@code client} (from 0). */
    public T targetOf(int client) {
        return targets.get(targetOfClient[client]);
    }

    /** All targets in the order of the list. */
    public List<T> targets() {
        return targets;
    }

    private int[] keptPlaces(List<T> newTargets) {
        Map<T, Integer> places = new HashMap<>();
        for (int i = 0; i < newTargets.size(); i++) {
            places.put(newTargets.get(i), i);
        }
        int[] kept = new int[targetOfClient.length];
        for (int client = 0; client < kept.length; client++) {
            kept[client] = places.getOrDefault(targetOf(client), NONE);
        }
        return kept;
    }

    /** Everyone gets the floor; one more goes to those targets that most clients would have to leave otherwise. */
    private static int[] quotas(int targetCount, int[] kept) {
        int[] keepers = new int[targetCount];
        for (int target : kept) {
            if (target != NONE) {
                keepers[target]++;
            }
        }
        int[] quotas = new int[targetCount];
        Arrays.fill(quotas, kept.length / targetCount);
        IntStream.range(0, targetCount)
                .boxed()
                .sorted(Comparator.comparingInt(target -> -keepers[target]))
                .limit(kept.length % targetCount)
                .forEach(target -> quotas[target]++);
        return quotas;
    }

    private static void requireTargets(List<?> targets) {
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("clients need at least one target");
        }
    }
}
