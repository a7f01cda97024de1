package dev.retier.state.lock;

import dev.retier.state.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One node's side of the move lock of one site, whose word is replicated on an odd number of witnesses.
 *
 * <p>Three steps take the lock: read the replicas, {@link #propose}, carry out the swaps, {@link #conclude}. A
 * majority of won swaps is the lock. A replica may be taken when it is free, or when this node has itself watched it
 * unchanged for the lease time. Each taking of a replica raises its term, and two majorities share a replica, so no
 * two holders have the same term and a later holder has a higher one. Following seed 001, section 3.2.4 (one
 * witness), and the leases of Gray and Cheriton (1989).
 *
 * <p>Not thread-safe. Times are this node's own monotonic nanoseconds.
 */
public final class MoveLock {
    private final NodeId self;
    private final LeaseTimes times;
    private final int majority;
    private final ReplicaWatch watch = new ReplicaWatch();
    /**
     * The highest term seen or proposed. A term is never proposed twice: a late undo of the first proposal would
     * free what the second one won.
     */
    private long highestTerm;

    /**
     * A lock of which this node has seen nothing yet.
     *
     * @param witnesses how many replicas there are: 1, 3 or 5
     */
    public MoveLock(NodeId self, LeaseTimes times, int witnesses) {
        if (witnesses != 1 && witnesses != 3 && witnesses != 5) {
            throw new IllegalArgumentException(witnesses + " witnesses: there are 1, 3 or 5");
        }
        this.self = self;
        this.times = times;
        this.majority = witnesses / 2 + 1;
    }

    /** What to do next in order to take the lock. */
    public sealed interface Proposal {
        /** Carry out these swaps, all together, then {@link MoveLock#conclude}. */
        record Take(long term, List<Swap> swaps) implements Proposal {}

        /** Somebody holds it. */
        record Held(NodeId holder, long term) implements Proposal {}

        /** Fewer than a majority of the witnesses answered. */
        record TooFew(int answered, int needed) implements Proposal {}
    }

    /** How a try to take the lock ended. */
    public sealed interface Verdict {
        /** Held in {@code term}; may act until {@code safeUntilNanos}. */
        record Won(long term, long safeUntilNanos) implements Verdict {}

        /** Not held. {@code undo} frees what was won in vain; its outcome does not matter. */
        record Lost(Optional<LockWord> rival, List<Swap> undo) implements Verdict {}
    }

    /**
     * Takes note of a replica that was read on another occasion, so that a wait for its lease is already under way
     * when the lock is wanted.
     *
     * @param nowNanos a time not before the word was read
     */
    public void observe(int witness, LockWord word, long nowNanos) {
        highestTerm = Math.max(highestTerm, word.term());
        watch.observe(witness, word, nowNanos);
    }

    /**
     * Decides from the words that the witnesses answered.
     *
     * @param answered the word of each witness that answered
     * @param nowNanos a time not before the last answer came
     */
    public Proposal propose(Map<Integer, LockWord> answered, long nowNanos) {
        answered.forEach((witness, word) -> observe(witness, word, nowNanos));
        if (answered.size() < majority) {
            return new Proposal.TooFew(answered.size(), majority);
        }
        List<Integer> open = answered.keySet().stream()
                .filter(witness -> watch.mayTake(witness, nowNanos, times.leaseNanos()))
                .sorted()
                .toList();
        if (open.size() < majority) {
            return heldBy(answered.values());
        }
        long term = ++highestTerm;
        LockWord next = LockWord.heldBy(self, term);
        return new Proposal.Take(
                term,
                open.stream()
                        .map(witness -> new Swap(witness, wordOf(answered, witness), next))
                        .toList());
    }

    /**
     * Judges the answers to the swaps of {@code take}.
     *
     * @param replies the answer of each witness that was asked; a missing one counts as unknown
     * @param postedNanos a time not after the first swap was sent
     * @param nowNanos a time not before the last answer came
     */
    public Verdict conclude(Proposal.Take take, Map<Integer, CasReply> replies, long postedNanos, long nowNanos) {
        List<LockWord> rivals = new ArrayList<>();
        List<Swap> undo = new ArrayList<>();
        int won = 0;
        for (Swap swap : take.swaps()) {
            switch (replies.getOrDefault(swap.witness(), new CasReply.Unknown())) {
                case CasReply.Won _ -> {
                    won++;
                    undo.add(release(swap));
                }
                case CasReply.Lost(LockWord actual) -> {
                    observe(swap.witness(), actual, nowNanos);
                    rivals.add(actual);
                }
                case CasReply.Unknown _ -> undo.add(release(swap));
            }
        }
        if (won >= majority) {
            return new Verdict.Won(take.term(), postedNanos + times.safeNanos());
        }
        return new Verdict.Lost(rivals.stream().max(Comparator.comparingLong(LockWord::term)), undo);
    }

    /**
     * The swaps that renew this node's lease of {@code term}, or free it, given the words that the witnesses
     * answered. Empty if the lease is lost: fewer than a majority of replicas are still this node's.
     */
    public Optional<List<Swap>> renewal(long term, Map<Integer, LockWord> answered) {
        List<Swap> swaps = own(term, answered, true);
        return swaps.size() < majority ? Optional.empty() : Optional.of(swaps);
    }

    /** Until when the holder may act after these answers to the swaps of a renewal; empty if it failed. */
    public Optional<Long> renewed(Map<Integer, CasReply> replies, long postedNanos) {
        long won =
                replies.values().stream().filter(CasReply.Won.class::isInstance).count();
        return won < majority ? Optional.empty() : Optional.of(postedNanos + times.safeNanos());
    }

    /** The swaps that give up this node's lease of {@code term}, given the words that the witnesses answered. */
    public List<Swap> release(long term, Map<Integer, LockWord> answered) {
        return own(term, answered, false);
    }

    private List<Swap> own(long term, Map<Integer, LockWord> answered, boolean renew) {
        return answered.entrySet().stream()
                .filter(entry -> entry.getValue().isHeldBy(self, term))
                .map(entry -> new Swap(
                        entry.getKey(),
                        entry.getValue(),
                        renew ? entry.getValue().renewed() : entry.getValue().released()))
                .toList();
    }

    private static Swap release(Swap taken) {
        return new Swap(taken.witness(), taken.next(), taken.next().released());
    }

    private static Proposal heldBy(Iterable<LockWord> words) {
        LockWord newest = LockWord.NEVER_HELD;
        for (LockWord word : words) {
            if (!word.isFree() && (newest.isFree() || word.term() > newest.term())) {
                newest = word;
            }
        }
        return new Proposal.Held(newest.holder().orElseThrow(), newest.term());
    }

    private static LockWord wordOf(Map<Integer, LockWord> answered, int witness) {
        LockWord word = answered.get(witness);
        if (word == null) {
            throw new IllegalStateException("witness " + witness + " did not answer");
        }
        return word;
    }
}
