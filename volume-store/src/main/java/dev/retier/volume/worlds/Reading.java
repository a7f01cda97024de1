package dev.retier.volume.worlds;

import dev.retier.volume.worlds.Promises.Attachment;
import dev.retier.volume.worlds.Promises.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A read that is under way, and what its parts may have while it is. */
final class Reading {
    private final @Nullable Attachment by;
    private final boolean isFenced;
    private final int first;
    private final long since;
    private final List<NavigableMap<Long, Entry>> allowed = new ArrayList<>();
    /** What a rollback may bring back, by part. */
    private final Map<Integer, List<Entry>> back = new HashMap<>();

    private boolean sawCut;
    private boolean mayMiss;

    /** By a client that has the volume; null for one that reads beside it. */
    Reading(@Nullable Attachment by, boolean isFenced, int first, long since) {
        this.by = by;
        this.isFenced = isFenced;
        this.first = first;
        this.since = since;
    }

    @Nullable
    Attachment by() {
        return by;
    }

    boolean isFenced() {
        return isFenced;
    }

    int first() {
        return first;
    }

    long since() {
        return since;
    }

    /** Whether something was lost meanwhile that its client had been answered. */
    boolean sawCut() {
        return sawCut;
    }

    /** Whether, for whoever reads beside the one that writes, something may be missing that was answered. */
    boolean mayMiss() {
        return mayMiss;
    }

    /** The next part; {@code isCut}: what was lost may not have been sent again yet. */
    void add(Part part, boolean isCut) {
        allowed.add(new TreeMap<>(part.now()));
        if (isCut) {
            mayBeAfterCut(first + allowed.size() - 1, part);
        }
    }

    private boolean hasPart(int part) {
        return part >= first && part < first + allowed.size();
    }

    void mayHave(int part, Entry entry) {
        if (hasPart(part)) {
            allowed.get(part - first).put(entry.order(), entry);
        }
    }

    /** A rollback may bring that back; who writes has lost the volume then, and does not read it. */
    void mayHave(KeptImage image) {
        mayMiss = true; // what was answered since the image was made
        for (int i = 0; by == null && i < allowed.size(); i++) {
            back.computeIfAbsent(i, _ -> new ArrayList<>()).addAll(image.of(first + i));
        }
    }

    void cannotHave(int part, Change change) {
        if (hasPart(part)) {
            allowed.get(part - first).remove(change.number());
        }
    }

    void mayHaveLost(int part, Part its) {
        sawCut = true;
        if (hasPart(part)) {
            allowed.get(part - first).putAll(its.now());
        }
    }

    /** The one that writes reads nothing before it has sent again what was lost. */
    void mayBeAfterCut(int part, Part its) {
        mayMiss = true; // until it is sent again
        if (by == null && hasPart(part)) {
            allowed.get(part - first).putAll(its.afterCut());
        }
    }

    /** What a part may have. */
    List<Entry> allowed(int i) {
        List<Entry> all = new ArrayList<>(allowed.get(i).values());
        all.addAll(back.getOrDefault(i, List.of()));
        return all;
    }

    /** As which change a part may have that number. */
    List<Entry> found(int i, long number) {
        return allowed(i).stream().filter(entry -> entry.has(number)).toList();
    }
}
