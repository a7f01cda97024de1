package dev.retier.cli.lab.plan;

import dev.retier.agent.config.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a lab is like.
 *
 * @param nodes how many nodes, 2 to {@value #MAX_NODES}
 * @param haproxies how many of them, the last ones, run HAProxy, which cannot be an app, and start as spares
 * @param nginxes how many, before those, run nginx in the same way; the others run httpd
 * @param proxies how many of them start as proxies of shop; each tier has at least one node
 * @param minProxies the fewest proxies that the agents may leave shop
 * @param sites what the nodes serve; the nodes of the second site are the last ones with httpd
 * @param quotaPercent what each node may use of one processor, in percent, 1 to 100; with its agent inside, 4 to 100
 * @param period over which the quota is kept, 5 ms to 1 s
 * @param dynamic processor time of the application for one dynamic answer, 10 us to 1 s
 * @param fileBytes length of a static file before compression, 1 to {@value #MAX_FILE_BYTES}
 * @param mode of the agents: act, recommend or observe
 * @param placement where the agents run
 * @param sensitivity S, above zero
 * @param history T, above zero
 */
public record LabSettings(
        int nodes,
        int haproxies,
        int nginxes,
        int proxies,
        int minProxies,
        LabSites sites,
        int quotaPercent,
        Duration period,
        Duration dynamic,
        int fileBytes,
        String mode,
        Placement placement,
        Duration sensitivity,
        Duration history) {
    public static final int MAX_NODES = 32;
    public static final int MAX_FILE_BYTES = 1 << 20;

    private static final Duration MIN_PERIOD = Duration.ofMillis(5);
    private static final Duration MIN_DYNAMIC = Duration.ofNanos(10_000);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Everything that is wrong with it, each with its remedy; empty when nothing is. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        check(problems, nodes >= 2 && nodes <= MAX_NODES, "--nodes " + nodes + ": use 2 to " + MAX_NODES);
        int others = Math.max(0, haproxies) + Math.max(0, nginxes);
        int news = sites.newsProxies() + sites.newsApps();
        check(
                problems,
                haproxies >= 0 && nginxes >= 0 && others <= nodes - 2,
                "--haproxy " + haproxies + " and --nginx " + nginxes + ": use 0 to " + (nodes - 2)
                        + " together, so that each tier has a node with httpd");
        check(problems, sites.guarantee() >= 0, "--guarantee " + sites.guarantee() + ": use 0 for none, or more");
        check(
                problems,
                news == 0 || others + news <= nodes - 2,
                "--second-site " + sites.newsProxies() + "+" + sites.newsApps() + ": leave two nodes with httpd to the"
                        + " first site, so that each of its tiers has one");
        int mostProxies = Math.max(1, nodes - others - news - 1);
        check(
                problems,
                proxies >= 1 && proxies <= mostProxies,
                "--proxies " + proxies + ": use 1 to " + mostProxies + ", so that each tier has a node");
        check(
                problems,
                minProxies >= 1 && minProxies <= proxies,
                "--min-proxies " + minProxies + ": use 1 to the number of --proxies");
        int least = NodeGroups.leastPercent(placement);
        check(
                problems,
                quotaPercent >= least && quotaPercent <= 100,
                "--quota " + quotaPercent + ": use " + least + " to 100");
        check(problems, within(period, MIN_PERIOD), "--period: use 5ms to 1s");
        check(problems, within(dynamic, MIN_DYNAMIC), "--dynamic: use 10us to 1s");
        check(
                problems,
                fileBytes >= 1 && fileBytes <= MAX_FILE_BYTES,
                "--file-bytes " + fileBytes + ": use 1 to " + MAX_FILE_BYTES);
        check(
                problems,
                List.of("act", "recommend", "observe").contains(mode),
                "--mode " + mode + ": use act, recommend or observe");
        check(problems, sensitivity.isPositive(), "-S: use a time above zero");
        check(problems, history.isPositive(), "-T: use a time above zero");
        return List.copyOf(problems);
    }

    /** What node {@code number}, from 1, runs. */
    public ServerKind kind(int number) {
        if (number > nodes - haproxies) {
            return ServerKind.HAPROXY;
        }
        return number > nodes - haproxies - nginxes ? ServerKind.NGINX : ServerKind.HTTPD;
    }

    /** What node {@code number}, from 1, is at first, as the cluster file says it. */
    String role(int number) {
        int news = nodes - haproxies - nginxes - sites.newsProxies() - sites.newsApps();
        if (kind(number) != ServerKind.HTTPD) {
            return "spare";
        }
        if (number > news) {
            return number <= news + sites.newsProxies() ? "news/proxy" : "news/app";
        }
        return number <= proxies ? "shop/proxy" : "shop/app";
    }

    private static boolean within(Duration value, Duration least) {
        return value.compareTo(least) >= 0 && value.compareTo(SECOND) <= 0;
    }

    private static void check(List<String> problems, boolean isGood, String problem) {
        if (!isGood) {
            problems.add(problem);
        }
    }
}
