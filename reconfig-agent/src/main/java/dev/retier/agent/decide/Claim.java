package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;

/** By what right a tier asks another for a node; it says which rails of the donor hold. */
enum Claim {
    /** It has lost nodes that it must have: any node above the donor's minimum. */
    FAILED,
    /**
     * It is promised more than it delivers, and the donor's site has lower priority: also from a pressed tier, as long
     * as the donor's own guarantee is kept.
     */
    ENTITLED,
    /**
     * The donor's site has higher priority and delivers more than it is promised: also from a pressed tier, as long as
     * it still delivers that afterwards; not for a tier that has idle members itself.
     */
    SURPLUS,
    /** No right but need: only from a calm tier, and only if something is gained. */
    FAIR;

    /** The rights of {@code receiver} against another site, the strongest. */
    static Claim against(Case facts, Receiver receiver, SiteConfig donor) {
        boolean isLower = donor.priority() > facts.site().priority();
        if (receiver.reason() == MoveReason.BELOW_MINIMUM && isLower) {
            return FAILED;
        }
        if (receiver.reason() == MoveReason.GUARANTEE && isLower) {
            return ENTITLED;
        }
        boolean isHigher = donor.priority() < facts.site().priority();
        boolean isUneven = facts.trend(facts.site(), receiver.tier())
                .isUneven(facts.rules().takeThreshold());
        return isHigher && !isUneven && donor.guaranteeRequestsPerSecond() != null ? SURPLUS : FAIR;
    }
}
