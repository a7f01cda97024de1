package dev.retier.volume.worlds;

import dev.retier.volume.worlds.Promises.Attachment;
import dev.retier.volume.worlds.Promises.Change;
import dev.retier.volume.worlds.Promises.Kind;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What a part of a volume may have now, and what it may have after a power cut that takes what nobody sends again. */
final class Part {
    static final long NEVER = Long.MAX_VALUE;

    /** By their order. */
    private final NavigableMap<Long, Entry> now = new TreeMap<>();

    private final NavigableMap<Long, Entry> afterCut = new TreeMap<>();

    /** It has that, on the disk. */
    Part(Change first) {
        Entry entry = new Entry(first, first.number());
        entry.answered(0);
        add(entry);
    }

    NavigableMap<Long, Entry> now() {
        return now;
    }

    NavigableMap<Long, Entry> afterCut() {
        return afterCut;
    }

    /** It may get that. */
    void add(Entry entry) {
        now.put(entry.order(), entry);
        afterCut.put(entry.order(), entry);
    }

    /** What it may have now is what it may have later: nobody changes it any more. */
    void freeze(long at) {
        now.values().forEach(entry -> entry.freeze(at));
    }

    /** It has something of that order or later, on the disk. */
    void forgetBefore(long order) {
        now.headMap(order).clear();
        afterCut.headMap(order).clear();
    }

    /** Whether that client was answered all that it may have, and so knows it. */
    boolean isAnsweredTo(Attachment client) {
        Entry oldest = now.firstEntry().getValue();
        return oldest.change().by().equals(client) && oldest.answeredAt() != NEVER;
    }

    /** Its client does not send again what a power cut takes. */
    void lose() {
        now.putAll(afterCut);
        now.values().forEach(Entry::lost);
    }

    /** It has the change, or a later one. */
    void answered(Change change, long at) {
        Entry entry = now.get(change.number());
        if (entry != null) {
            now.headMap(change.number()).clear();
            entry.answered(at);
            if (change.kind() == Kind.FORCED_WRITE) {
                afterCut.headMap(change.number()).clear();
            }
        }
    }

    /** The change was not done; whether it was read all the same. */
    boolean remove(Change change) {
        Entry entry = now.remove(change.number());
        afterCut.remove(change.number());
        return entry != null && entry.isSeen();
    }

    /** What was answered by then is on the disk. */
    void flushed(long since) {
        long newest = -1;
        for (Entry entry : now.values()) {
            newest = entry.answeredAt() <= since ? entry.order() : newest;
        }
        if (newest >= 0) {
            afterCut.headMap(newest).clear();
        }
    }

    /** What came before cannot come back, and what can no longer be done has not been. */
    void observed(long since, Entry found) {
        now.headMap(found.order()).clear();
        now.values().removeIf(entry -> !entry.equals(found) && entry.wasFrozenBefore(since));
        afterCut.tailMap(found.order(), false).values().removeIf(entry -> entry.wasFrozenBefore(since));
    }
}
