package dev.retier.webnode.config;

import java.util.Locale;

/** What a node does at present. */
public enum Role {
    /** Answers static requests from memory and balances the rest over the site's app nodes. */
    PROXY,
    /** Computes dynamic answers and is the origin of static ones. */
    APP,
    /** Serves no site; a request that still arrives is answered as an app would. */
    SPARE;

    /** The word used in files and status: {@code proxy}, {@code app} or {@code spare}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
