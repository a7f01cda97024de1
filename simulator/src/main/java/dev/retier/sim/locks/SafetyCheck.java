package dev.retier.sim.locks;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Watches a simulated world from outside, with the true time, for what must never be. Not thread-safe. */
final class SafetyCheck {
    private final Map<Long, Integer> holderByTerm = new HashMap<>();
    private long newestTerm;
    private long acquisitions;
    private long orders;
    private long staleOrdersRefused;
    private Optional<String> violation = Optional.empty();

    /** A node has concluded that it holds the lock. */
    void acquired(int node, long term) {
        acquisitions++;
        Integer other = holderByTerm.putIfAbsent(term, node);
        if (other != null) {
            violated("nodes " + other + " and " + node + " both hold the lock in term " + term);
        }
        if (term <= newestTerm) {
            violated("node " + node + " acquires term " + term + " after term " + newestTerm);
        }
        newestTerm = Math.max(newestTerm, term);
    }

    /** A node has asked whether it may act and was told yes. */
    void acts(int node, long term) {
        if (term < newestTerm) {
            violated("node " + node + " acts in term " + term + " though term " + newestTerm + " is held");
        }
    }

    /** An order of {@code term} has changed a role word in which {@code fencedTerm} stood. */
    void ordered(int victim, long term, long fencedTerm) {
        orders++;
        if (term < fencedTerm) {
            violated("the role word of node " + victim + " changes under term " + term + " after term " + fencedTerm);
        }
    }

    /** A late order found another word than it expected. */
    void orderRefused() {
        staleOrdersRefused++;
    }

    void violated(String what) {
        if (violation.isEmpty()) {
            violation = Optional.of(what);
        }
    }

    Optional<String> violation() {
        return violation;
    }

    long acquisitions() {
        return acquisitions;
    }

    long orders() {
        return orders;
    }

    long ordersRefused() {
        return staleOrdersRefused;
    }
}
