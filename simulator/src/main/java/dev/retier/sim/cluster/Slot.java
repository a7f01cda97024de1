package dev.retier.sim.cluster;

import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.Swap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The registered memory of one node. Not thread-safe. */
final class Slot {
    private final LockWord[] locks;
    private final WordWatch watch;
    private RoleWord word;
    private @Nullable LoadRecord load;
    private long heartbeat;
    private long incarnation;
    private SlotReading.@Nullable Known reading;

    /** Hears of each change of the role word. */
    @FunctionalInterface
    interface WordWatch {
        /** The word has just become {@code now}. */
        void changed(RoleWord before, RoleWord now);
    }

    Slot(NodeId id, RoleWord word, int sites, WordWatch watch) {
        this.word = word;
        this.watch = watch;
        this.locks = new LockWord[sites];
        Arrays.fill(locks, LockWord.atBoot(id, 0));
    }

    RoleWord word() {
        return word;
    }

    /** A new life of the agent: nothing is left but what its journal says. */
    void restart(NodeId id, RoleWord next, long bootSeconds) {
        word = next;
        load = null;
        heartbeat = 0;
        incarnation++;
        reading = null;
        Arrays.fill(locks, LockWord.atBoot(id, bootSeconds));
    }

    CasOutcome compareAndSet(RoleWord expected, RoleWord next) {
        if (!word.equals(expected)) {
            return new CasOutcome.Lost(word);
        }
        word = next;
        reading = null;
        watch.changed(expected, next);
        return new CasOutcome.Won();
    }

    /** Puts back what was there before somebody wrote what cannot be true. */
    void mend(long bits, RoleWord next) {
        compareAndSet(RoleWord.decode(bits), next);
    }

    LockWord lock(int site) {
        return locks[site];
    }

    CasReply swap(int site, Swap swap) {
        if (!locks[site].equals(swap.expected())) {
            return new CasReply.Lost(locks[site]);
        }
        locks[site] = swap.next();
        return new CasReply.Won();
    }

    void publish(LoadRecord next) {
        load = next;
        heartbeat++;
        reading = null;
    }

    long heartbeat() {
        return heartbeat;
    }

    long incarnation() {
        return incarnation;
    }

    /** What a reader gets; null before the first load record. One object until something changes. */
    SlotReading.@Nullable Known read() {
        LoadRecord present = load;
        if (reading == null && present != null) {
            reading = new SlotReading.Known(word, present, heartbeat, incarnation, 0);
        }
        return reading;
    }
}
