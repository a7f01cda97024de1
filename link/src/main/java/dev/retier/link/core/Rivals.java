package dev.retier.link.core;

import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which of several agents that run under one node id counts. The newest incarnation takes the place of the one before:
 * so a restarted agent is let in although its old connection may still stand. But an incarnation that was replaced and
 * comes back was never dead: then two run at once, and the elder is kept and the other refused for as long as the
 * elder's connection stands. The elder, because it is the one whose slot, role and locks the cell already works with,
 * because a copied configuration is the mistake of whoever was started last, and because all nodes then agree on it.
 *
 * <p>Not thread-safe.
 */
public final class Rivals {
    /** Replaced incarnations of one node that are remembered. */
    private static final int REMEMBERED = 4;

    private final Map<NodeId, Life> lives = new HashMap<>();

    private static final class Life {
        Seen present;
        final Deque<Long> replaced = new ArrayDeque<>();
        boolean contested;
        boolean stands = true;

        Life(Seen present) {
            this.present = present;
        }
    }

    private record Seen(long incarnation, String address) {}

    /** Whether {@code who} is the younger of two that run at once, and the elder's connection stands. */
    public boolean isRefused(Identity who) {
        Life life = lives.get(who.node());
        return life != null
                && life.contested
                && life.stands
                && life.present.incarnation() != who.incarnation()
                && life.replaced.contains(who.incarnation());
    }

    /** {@code who} is proven, from {@code address}, and takes its node's place; what to tell a person, if anything. */
    public Optional<String> stands(Identity who, String address) {
        Seen seen = new Seen(who.incarnation(), address);
        Life life = lives.computeIfAbsent(who.node(), _ -> new Life(seen));
        Seen before = life.present;
        life.present = seen;
        boolean wasStanding = life.stands;
        life.stands = true;
        if (before.incarnation() == who.incarnation()) {
            return Optional.empty();
        }
        boolean isBack = life.replaced.remove(who.incarnation());
        life.replaced.addLast(before.incarnation());
        if (life.replaced.size() > REMEMBERED) {
            life.replaced.removeFirst();
        }
        life.contested = isBack && wasStanding;
        if (!life.contested) {
            return Optional.empty();
        }
        return Optional.of("two agents run as " + who.node() + ": incarnation "
                + Long.toHexString(who.incarnation()) + " at " + address + ", which stays, and "
                + Long.toHexString(before.incarnation()) + " at " + before.address()
                + ", which is refused: stop one, or give it an id of its own");
    }

    /** The connection of {@code who} is over. */
    public void gone(Identity who) {
        Life life = lives.get(who.node());
        if (life != null && life.present.incarnation() == who.incarnation()) {
            life.stands = false;
        }
    }
}
