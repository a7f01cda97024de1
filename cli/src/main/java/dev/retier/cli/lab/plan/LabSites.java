package dev.retier.cli.lab.plan;

/**
 * The sites of a lab: {@code shop}, and perhaps {@code news}, which comes after it.
 *
 * @param guarantee what shop is promised, in requests per second; 0: nothing
 * @param newsProxies how many nodes start as proxies of news; 0: there is no such site
 * @param newsApps how many as its apps
 */
public record LabSites(int guarantee, int newsProxies, int newsApps) {
    /** Shop alone, without a promise. */
    public static final LabSites ONE = new LabSites(0, 0, 0);

    /** Whether there are two. */
    public boolean isTwo() {
        return newsProxies + newsApps != 0;
    }

    /** How many nodes news has at first. */
    int newsNodes() {
        return Math.max(0, newsProxies) + Math.max(0, newsApps);
    }

    /** Whether news has both tiers, or is none. */
    boolean isWhole() {
        return !isTwo() || (newsProxies >= 1 && newsApps >= 1);
    }
}
