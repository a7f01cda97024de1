package dev.retier.agent.http;

import dev.retier.agent.command.Answer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest commands by the keys that their senders gave them, so that one that is sent again, because its answer was
 * lost, is carried out once (draft-ietf-httpapi-idempotency-key-header). Thread-safe, bounded.
 */
final class CommandKeys {
    static final int MOST = 256;
    /** Moves take their time, and each waits for its end. */
    static final int MOST_UNDER_WAY = 16;

    private final ReentrantLock lock = new ReentrantLock();
    /** In the order in which they came. Guarded by the lock. */
    private final Map<String, Keyed> known = new LinkedHashMap<>();

    /**
     * One command.
     *
     * @param by who sent it
     * @param text as it was sent
     * @param end what becomes of it
     */
    record Keyed(String by, String text, CompletableFuture<Answer> end) {}

    /** What a key turns out to be. */
    sealed interface Taken {
        /** Nobody has used it: the command is to be carried out. */
        record Fresh(Keyed command) implements Taken {}

        /** The same command of the same sender. */
        record Again(Keyed command) implements Taken {}

        /** It is that of another one. */
        record Clash() implements Taken {}

        /** As many commands are under way as there may be. */
        record Full() implements Taken {}
    }

    /** Takes a key for a command. */
    Taken take(String key, String by, String text) {
        lock.lock();
        try {
            Keyed there = known.get(key);
            if (there != null) {
                return there.by.equals(by) && there.text.equals(text) ? new Taken.Again(there) : new Taken.Clash();
            }
            long underWay =
                    known.values().stream().filter(one -> !one.end.isDone()).count();
            if (underWay >= MOST_UNDER_WAY) {
                return new Taken.Full();
            }
            makeRoom();
            Keyed fresh = new Keyed(by, text, new CompletableFuture<>());
            known.put(key, fresh);
            return new Taken.Fresh(fresh);
        } finally {
            lock.unlock();
        }
    }

    private void makeRoom() {
        for (Iterator<Keyed> all = known.values().iterator(); known.size() >= MOST && all.hasNext(); ) {
            if (all.next().end.isDone()) {
                all.remove();
            }
        }
    }

    /** Gives a key back whose command is not carried out, and tells who waits for its end why. */
    void giveBack(String key, Answer why) {
        lock.lock();
        try {
            Keyed given = known.remove(key);
            if (given != null) {
                given.end.complete(why);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The command of that key; empty for one that nobody has used, or that was long ago. */
    Optional<Keyed> get(String key) {
        lock.lock();
        try {
            return Optional.ofNullable(known.get(key));
        } finally {
            lock.unlock();
        }
    }
}
