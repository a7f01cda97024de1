package dev.retier.state;

/** What a node does for its site. */
public enum Tier {
    /** Front end: caches static content and balances over the site's app nodes. */
    PROXY,
    /** Computes dynamic content and is the origin of static content. */
    APP;

    /** The other tier of the same site, which is the first donor when this one is pressed. */
    public Tier other() {
        return this == PROXY ? APP : PROXY;
    }
}
