package dev.retier.state.verbs;

import dev.retier.link.Gathering;
import dev.retier.link.NodeId;
import dev.retier.link.Work;
import dev.retier.state.SiteId;
import dev.retier.state.lock.CasReply;
import dev.retier.state.lock.LockWord;
import dev.retier.state.lock.Swap;
import dev.retier.state.slot.SlotLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads and swaps the lock replicas of a site on all witnesses at once, within the read deadline. Thread-safe. */
final class Witnesses {
    private final List<NodeId> nodes;
    private final Sessions sessions;
    private final long deadlineNanos;

    Witnesses(SharedStateConfig config, Sessions sessions) {
        this.nodes = config.witnesses();
        this.sessions = sessions;
        this.deadlineNanos = config.readDeadline().toNanos();
    }

    /** The word of each witness that answers, by its index. */
    Map<Integer, LockWord> read(SiteId site) {
        Map<Integer, Work> reads = new HashMap<>();
        Gathering gathering = new Gathering();
        int offset = SlotLayout.lockOffset(site);
        for (int witness = 0; witness < nodes.size(); witness++) {
            int index = witness;
            start(witness, session -> session.read(offset, Long.BYTES, gathering))
                    .ifPresent(work -> reads.put(index, work));
        }
        gathering.await(System.nanoTime() + deadlineNanos);
        Map<Integer, LockWord> words = new HashMap<>();
        reads.forEach((witness, work) -> {
            if (work.ending() == Work.Ending.DONE) {
                words.put(witness, LockWord.decode(work.buffer().get(SlotLayout.WORD_LAYOUT, 0)));
            }
            work.release();
        });
        return words;
    }

    /** Carries out {@code swaps}; what each witness answered, by its index. One not asked is absent. */
    Map<Integer, CasReply> swap(SiteId site, List<Swap> swaps) {
        Map<Swap, Work> running = new HashMap<>();
        Gathering gathering = new Gathering();
        int offset = SlotLayout.lockOffset(site);
        for (Swap swap : swaps) {
            long expected = swap.expected().encode();
            long next = swap.next().encode();
            start(swap.witness(), session -> session.compareAndSwap(offset, expected, next, gathering))
                    .ifPresent(work -> running.put(swap, work));
        }
        gathering.await(System.nanoTime() + deadlineNanos);
        Map<Integer, CasReply> replies = new HashMap<>();
        running.forEach((swap, work) -> {
            replies.put(swap.witness(), reply(swap, work));
            work.release();
        });
        return replies;
    }

    private static CasReply reply(Swap swap, Work work) {
        if (work.ending() != Work.Ending.DONE) {
            return new CasReply.Unknown();
        }
        LockWord found = LockWord.decode(Session.word(work));
        return found.equals(swap.expected()) ? new CasReply.Won() : new CasReply.Lost(found);
    }

    private Optional<Work> start(int witness, Function<Session, Optional<Work>> operation) {
        return sessions.to(nodes.get(witness)).flatMap(operation);
    }
}
