package dev.retier.state;

/** What a node serves: a tier of a site, or nothing. */
public sealed interface Role {
    /** The role of a node that serves nothing and may be given to any tier. */
    Role SPARE = new Spare();

    /** The role of a node that serves nothing because an operator wants it so: it is given to no tier. */
    Role DRAINED = new Drained();

    /** The role of a node that serves {@code tier} of {@code site}. */
    static Role serving(SiteId site, Tier tier) {
        return new Serving(site, tier);
    }

    /** A tier of a site. */
    record Serving(SiteId site, Tier tier) implements Role {}

    /** In no tier. */
    record Spare() implements Role {}

    /** In no tier, and to stay so. */
    record Drained() implements Role {}
}
