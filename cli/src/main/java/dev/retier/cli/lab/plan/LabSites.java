package dev.retier.cli.lab.plan;

/**
 * The sites of a lab: {@code shop}, and perhaps {@code news}, which comes after it.
 *
 * @param guarantee what shop is promised, in requests per second; 0: nothing
 * @param newsProxies how many nodes start as proxies of news; 0: there is no such site
 * @param newsApps how many as its apps
 */
public record LabSites(int guarantee, int newsProxies, int newsApps) {
    /** Whether there are two. */
    public boolean isTwo() {
        return newsProxies > 0;
    }
}
