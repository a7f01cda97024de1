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

/** Reads and swaps the lock replicas of a site on all witnesses at once, within the read deadline. Thread-safe. */
final class Witnesses {
    private final Local local;
    private final List<NodeId> nodes;
    private final Sessions sessions;

    Witnesses(Local local, Sessions sessions) {
        this.local = local;
        this.nodes = local.config().witnesses();
        this.sessions = sessions;
    }

    /** The word of each witness that answers, by its index. */
    Map<Integer, LockWord> read(SiteId site) {
        Gathering<Integer> reads = new Gathering<>();
        int offset = SlotLayout.lockOffset(site);
        for (int witness = 0; witness < nodes.size(); witness++) {
            int index = witness;
            sessions.to(nodes.get(index)).ifPresent(session -> session.read(offset, Long.BYTES, reads, index));
        }
        Map<Integer, LockWord> words = new HashMap<>();
        reads.await(local.deadlineNanos(), (witness, work) -> {
            if (work.ending() == Work.Ending.DONE) {
                words.put(witness, LockWord.decode(work.buffer().get(SlotLayout.WORD_LAYOUT, 0)));
            }
        });
        return words;
    }

    /** Carries out {@code swaps}; what each witness answered, by its index. One not asked is absent. */
    Map<Integer, CasReply> swap(SiteId site, List<Swap> swaps) {
        Gathering<Swap> running = new Gathering<>();
        int offset = SlotLayout.lockOffset(site);
        for (Swap swap : swaps) {
            long expected = swap.expected().encode();
            long next = swap.next().encode();
            sessions.to(nodes.get(swap.witness()))
                    .ifPresent(session -> session.compareAndSwap(offset, expected, next, running, swap));
        }
        Map<Integer, CasReply> replies = new HashMap<>();
        running.await(local.deadlineNanos(), (swap, work) -> replies.put(swap.witness(), reply(swap, work)));
        return replies;
    }

    private static CasReply reply(Swap swap, Work work) {
        if (work.ending() != Work.Ending.DONE) {
            return new CasReply.Unknown();
        }
        LockWord found = LockWord.decode(Session.word(work));
        return found.equals(swap.expected()) ? new CasReply.Won() : new CasReply.Lost(found);
    }
}
