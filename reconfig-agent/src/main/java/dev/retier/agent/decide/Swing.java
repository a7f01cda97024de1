package dev.retier.agent.decide;

import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.state.Tier;

/**
 * What it costs that a tier may soon need a node again that it gives. When pressure swings between two tiers in bursts
 * that last about as long as T and the moves together, each move ends as its burst does and serves the next one badly;
 * the {@link Rhythm} of the tier that gives has then shown how soon its node must go back. It must pay before.
 */
record Swing(Case facts, SiteConfig donor, Tier tier, NodeView.Known victim) {
    /** Of both tiers together a promise may be broken for 3 % of the time. */
    private static final double BROKEN_SHARE = 0.015;

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Whether the receiver wins more time by the node until the donor's lull ends than the donor then loses until it
     * has the node back; or, if the lulls are too short for that, whether the receiver needs one more node for all
     * times. True while the donor's rhythm is not known.
     */
    boolean isWorthIt(Receiver receiver) {
        int taken = facts.trend(facts.site(), receiver.tier()).members().size() + 1;
        double wonNanos = rhythm().lullLeftNanos(facts.nowNanos()).orElse(Double.MAX_VALUE) - moveNanos();
        double lostNanos = facts.rules().takeHistory().toNanos() + returnNanos();
        boolean isPaid = kept(wonNanos / taken) > lostNanos / Math.max(1, rhythm().membersWhenBusy());
        return isPaid || isForGood(receiver);
    }

    /**
     * A node more for the receiver saves a share of all its busy times, a node less for the donor lengthens all of its
     * own: what is busy for longer has the more nodes. That split is the best of those that never change.
     */
    private boolean isForGood(Receiver receiver) {
        Rhythm taking = facts.rhythm(facts.site(), receiver.tier());
        int taken = facts.trend(facts.site(), receiver.tier()).members().size() + 1;
        return left() > 0 && kept(taking.busyShare() / taken) > rhythm().busyShare() / left();
    }

    /**
     * Whether the site would break its promise, for more than a small share of its time, when the giving tier is busy
     * next: with a node less than it needs for what it then serves, as learnt when it was busy, until it has the node
     * back. What a site delivers above its promise is not worth the promise.
     */
    boolean breaksPromise() {
        return isMissed() && shortNanos() > BROKEN_SHARE * rhythm().cycleNanos(facts.nowNanos());
    }

    /** Whether a move that mends a broken promise now would break it for about as long when the lull is over. */
    boolean mendsLess() {
        double mendedNanos = rhythm().lullLeftNanos(facts.nowNanos()).orElse(Double.MAX_VALUE) - moveNanos();
        return isMissed() && mendedNanos < 2 * shortNanos();
    }

    private boolean isMissed() {
        Double guarantee = donor.guaranteeRequestsPerSecond();
        double capacity = facts.trend(donor, tier).capacityWithout(victim.id());
        double carried = facts.trend(donor).carriedWhenBusy(tier, capacity);
        return guarantee != null && carried > 0 && kept(carried) < guarantee;
    }

    private double shortNanos() {
        return facts.rules().guaranteeHistory().toNanos() + returnNanos();
    }

    private Rhythm rhythm() {
        return facts.rhythm(donor, tier);
    }

    private int left() {
        return facts.trend(donor, tier).members().size() - 1;
    }

    /** A gain that is as small as the tolerance is none. */
    private double kept(double gain) {
        return gain * (1 - facts.rules().tolerance());
    }

    private double moveNanos() {
        ServerKind kind = facts.policy().kinds().get(victim.id());
        return kind == null ? 0 : facts.history().moveSeconds(kind) * NANOS_PER_SECOND;
    }

    private double returnNanos() {
        return moveNanos() + facts.rules().settle().toNanos();
    }
}
