package dev.retier.state.lock;

import dev.retier.link.LeaseTimes;
import dev.retier.link.NodeId;
import dev.retier.state.Watch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One node's side of the move lock of one site, whose word is replicated on an odd number of witnesses.
 *
 * <p>It decides, and a driver carries out: {@link #acquire}, {@link Tenure#renew} and {@link Tenure#release} give the
 * first {@link LockStep} of an operation. To take the lock is to read the replicas and to swap those that may be taken;
 * a majority of won swaps is the lock. A replica may be taken when it is free, or when this node has itself watched it
 * unchanged for the lease time. Each taking of a replica raises its term, and two majorities share a replica, so no
 * two holders have the same term and a later holder has a higher one. Mutual exclusion is by the leases alone, so
 * that a forged term can spoil no more than that order. Following seed 001, section 3.2.4 (one
 * witness), and the leases of Gray and Cheriton (1989).
 *
 * <p>Not thread-safe. Times are this node's own monotonic nanoseconds.
 */
public final class MoveLock {
    private final NodeId self;
    private final Predicate<NodeId> isMember;
    private final LeaseTimes times;
    private final int majority;
    /** Since when this node has seen each replica stand at its present word. */
    private final Map<Integer, Watch<LockWord>> replicas = new HashMap<>();

    /**
     * The highest term seen or proposed, never above {@link LockWord#HIGHEST_TERM}. A term is never proposed twice: a
     * late undo of the first proposal would free what the second one won.
     */
    private long highestTerm;

    /**
     * A lock of which this node has seen nothing yet.
     *
     * @param isMember whether a node is one of this node's cell, now
     * @param witnesses how many replicas there are: 1, 3 or 5
     */
    public MoveLock(NodeId self, Predicate<NodeId> isMember, LeaseTimes times, int witnesses) {
        if (witnesses != 1 && witnesses != 3 && witnesses != 5) {
            throw new IllegalArgumentException(witnesses + " witnesses: there are 1, 3 or 5");
        }
        this.self = self;
        this.isMember = isMember;
        this.times = times;
        this.majority = witnesses / 2 + 1;
    }

    /**
     * Takes note of a replica that was read on another occasion, so that a wait for its lease is already under way
     * when the lock is wanted.
     *
     * @param nowNanos a time not before the word was read
     * @return for how many nanoseconds the replica has been seen at this word
     */
    public long observe(int witness, LockWord word, long nowNanos) {
        if (word.term() <= LockWord.HIGHEST_TERM) {
            highestTerm = Math.max(highestTerm, word.term());
        }
        return replicas.computeIfAbsent(witness, _ -> new Watch<>()).observe(word, nowNanos);
    }

    /** The highest term seen or proposed that can be believed; 0 before the first. */
    public long highestTerm() {
        return highestTerm;
    }

    /**
     * One try for the lock. A replica of which {@link #flaw} tells something counts as held by nobody known: this node
     * takes it once it has stood still for the lease.
     */
    public LockStep<Attempt> acquire() {
        return new LockStep.Read<>(this::propose);
    }

    /** Why {@code word} can be none that a node of this cell has written; empty if it can. */
    public Optional<String> flaw(LockWord word) {
        if (word.term() > LockWord.HIGHEST_TERM) {
            return Optional.of("term " + word.term() + " of a move lock is far ahead of any that was given");
        }
        return word.holder()
                .filter(holder -> !isMember.test(holder))
                .map(stranger -> "holder " + stranger + " of a move lock is no node of the cell");
    }

    /** Decides from the words that the witnesses answered. */
    LockStep<Attempt> propose(Map<Integer, LockWord> answered, long nowNanos) {
        List<Integer> open = new ArrayList<>();
        answered.forEach((witness, word) -> {
            if (observe(witness, word, nowNanos) >= times.leaseNanos() || word.isFree()) {
                open.add(witness);
            }
        });
        if (answered.size() < majority) {
            return unavailable(answered.size() + " witnesses answered, " + majority + " are needed");
        }
        if (open.size() < majority) {
            return new LockStep.Ended<>(occupied(answered.values()));
        }
        if (highestTerm >= LockWord.HIGHEST_TERM) {
            return unavailable("no term is left above " + highestTerm);
        }
        long term = ++highestTerm;
        LockWord next = LockWord.heldBy(self, term);
        List<Swap> swaps = open.stream()
                .sorted()
                .map(witness -> new Swap(witness, Objects.requireNonNull(answered.get(witness)), next))
                .toList();
        return new LockStep.Exchange<>(swaps, (replies, endNanos) -> conclude(swaps, replies, nowNanos, endNanos));
    }

    /**
     * Judges the answers to {@code swaps}.
     *
     * @param replies the answer of each witness that was asked; a missing one counts as unknown
     * @param postedNanos a time not after the first swap was sent
     */
    private LockStep<Attempt> conclude(
            List<Swap> swaps, Map<Integer, CasReply> replies, long postedNanos, long nowNanos) {
        List<LockWord> rivals = new ArrayList<>();
        List<Swap> undo = new ArrayList<>();
        for (Swap swap : swaps) {
            switch (replies.getOrDefault(swap.witness(), new CasReply.Unknown())) {
                case CasReply.Won _, CasReply.Unknown _ -> undo.add(release(swap));
                case CasReply.Lost(LockWord actual) -> {
                    observe(swap.witness(), actual, nowNanos);
                    rivals.add(actual);
                }
            }
        }
        if (isWon(replies)) {
            long term = swaps.getFirst().next().term();
            return new LockStep.Ended<>(new Attempt.Taken(new Tenure(this, term, safeUntilNanos(postedNanos))));
        }
        return giveBack(undo, occupied(rivals));
    }

    /** The swaps that change what is still held in {@code term}, given the words that the witnesses answered. */
    List<Swap> own(long term, Map<Integer, LockWord> answered, UnaryOperator<LockWord> change) {
        return answered.entrySet().stream()
                .filter(entry -> entry.getValue().isHeldBy(self, term))
                .map(entry -> new Swap(entry.getKey(), entry.getValue(), change.apply(entry.getValue())))
                .toList();
    }

    /** Whether so many replicas are the lock. */
    boolean isMajority(long replicas) {
        return replicas >= majority;
    }

    /** Whether the swaps that were answered so are the lock. */
    boolean isWon(Map<Integer, CasReply> replies) {
        return isMajority(
                replies.values().stream().filter(CasReply.Won.class::isInstance).count());
    }

    /** Until when a holder may act whose acquisition or renewal began then. */
    long safeUntilNanos(long postedNanos) {
        return postedNanos + times.safeNanos();
    }

    private static Swap release(Swap taken) {
        return new Swap(taken.witness(), taken.next(), taken.next().released());
    }

    /** Frees what was won in vain, or gives up what was held; what becomes of it does not matter. */
    static <R> LockStep<R> giveBack(List<Swap> swaps, R result) {
        LockStep<R> end = new LockStep.Ended<>(result);
        return swaps.isEmpty() ? end : new LockStep.Exchange<>(swaps, (_, _) -> end);
    }

    private static LockStep<Attempt> unavailable(String reason) {
        return new LockStep.Ended<>(new Attempt.Unavailable(reason));
    }

    /** Who has the lock by the newest of {@code words} that holds and can be believed. */
    private Attempt occupied(Collection<LockWord> words) {
        Optional<LockWord> newest = words.stream()
                .filter(word -> !word.isFree() && flaw(word).isEmpty())
                .max(Comparator.comparingLong(LockWord::term));
        return newest.flatMap(word -> word.holder().<Attempt>map(holder -> new Attempt.Occupied(holder, word.term())))
                .orElseGet(() -> new Attempt.Unavailable(words.stream()
                        .flatMap(word -> flaw(word).stream())
                        .findFirst()
                        .orElse("a majority of the witnesses did not answer")));
    }
}
