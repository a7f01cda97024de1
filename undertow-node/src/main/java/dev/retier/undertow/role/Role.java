package dev.retier.undertow.role;

import java.util.Locale;

/** What a node does at present. */
public enum Role {
    /** Balances requests over the site's app nodes. */
    PROXY,
    /** Answers requests itself. */
    APP,
    /** Serves no site; a request that still arrives is answered as an app would. */
    SPARE;

    /** The word used in files and status: {@code proxy}, {@code app} or {@code spare}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
