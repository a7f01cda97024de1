package dev.retier.agent.view;

import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;

/**
 * What became of a node's move between two of its role words. Words between them may never have been seen. Pure.
 *
 * @param kind what became of it
 * @param from the role that the node left, or stays in
 * @param to the role that it was ordered to take; {@code from} when the order was not seen and came to nothing
 * @param epoch of the move
 */
public record WordChange(Kind kind, Role from, Role to, long epoch) {
    /** How far a move has come. */
    public enum Kind {
        /** Nothing has become of any. */
        NONE,
        /** It is ordered. */
        ORDERED,
        /** It has come to its end. */
        COMPLETED,
        /** It was ordered, and taken back. */
        UNDONE
    }

    /** From {@code before} to {@code now}; a fence alone, which each holder of the move lock sets, moves no node. */
    public static WordChange between(RoleWord before, RoleWord now) {
        if (now.isSameButFence(before)) {
            return of(Kind.NONE, now.from(), now);
        }
        if (now.phase() == Phase.ORDERED) {
            return of(Kind.ORDERED, now.from(), now);
        }
        boolean isItsOrder = before.phase() == Phase.ORDERED && before.epoch() == now.epoch();
        Role left = isItsOrder ? before.from() : before.to();
        if (!now.to().equals(left)) {
            return of(Kind.COMPLETED, left, now);
        }
        boolean isUndone = isItsOrder || (before.phase() == Phase.ACTIVE && now.epoch() > before.epoch());
        Role wanted = isItsOrder ? before.to() : now.to();
        return new WordChange(isUndone ? Kind.UNDONE : Kind.NONE, left, wanted, now.epoch());
    }

    private static WordChange of(Kind kind, Role from, RoleWord now) {
        return new WordChange(kind, from, now.to(), now.epoch());
    }
}
