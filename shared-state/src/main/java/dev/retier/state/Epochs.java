package dev.retier.state;

import java.util.Collection;
import java.util.List;

/**
 * Gives each ordered move an epoch that no other move of the cluster has, though the holders of different sites'
 * locks order at the same time and unseen by each other: every site takes only those numbers that leave its own
 * remainder. With one site an epoch grows by one with each move; with more it grows by at most their number. Moves of
 * one site come one after the other under its lock. Immutable.
 */
public final class Epochs {
    private final List<SiteId> sites;

    /**
     * The epochs of a cluster.
     *
     * @param sites all sites of the cluster, the same on every node; at least one
     */
    public Epochs(Collection<SiteId> sites) {
        this.sites = sites.stream().distinct().sorted().toList();
        if (this.sites.isEmpty()) {
            throw new IllegalArgumentException("a cluster without sites has no epochs");
        }
    }

    /**
     * The epoch of the next move that {@code site} orders; above {@link RoleWord#MAX_EPOCH} when there is none left.
     *
     * @param newest the highest epoch of which anything has been seen
     * @throws IllegalArgumentException if {@code site} is not one of the cluster's
     */
    public long next(SiteId site, long newest) {
        int remainder = sites.indexOf(site);
        if (remainder < 0) {
            throw new IllegalArgumentException(site + " is not among " + sites);
        }
        long next = newest + 1;
        return next + Math.floorMod(remainder - next, sites.size());
    }

    /** Whether {@code epoch} is what its site takes next when {@code newest} is the highest that was seen. */
    public boolean isNext(long epoch, long newest) {
        return epoch > newest && epoch - newest <= sites.size();
    }

    /** The epoch that the same site takes next after {@code epoch}, of its own. */
    public long after(long epoch) {
        return epoch + sites.size();
    }
}
