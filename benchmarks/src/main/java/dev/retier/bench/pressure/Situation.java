package dev.retier.bench.pressure;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Clients of a server that has room for sixteen.
 *
 * @param name in the record
 * @param isEvent whether its MPM is event, where idle and slow clients need no thread; else prefork
 * @param clients how many keep a connection
 * @param path what they ask for
 * @param pauseMillis between an answer and the next request of one
 * @param bytesPerSecond that each of them reads, at most
 */
record Situation(String name, boolean isEvent, int clients, String path, long pauseMillis, long bytesPerSecond) {
    private static final long ALL = Long.MAX_VALUE;
    private static final long SLOW = 200_000;
    private static final String EVENT =
            "StartServers 2\nServerLimit 2\nThreadsPerChild 8\nMaxRequestWorkers 16\nMaxSpareThreads 16\n";
    private static final String PREFORK = "StartServers 16\nServerLimit 16\nMaxSpareServers 16\nMaxRequestWorkers 16\n";

    static List<Situation> all() {
        return List.of(
                new Situation("idle clients", true, 24, BackEnd.PAGE, 2_000, ALL),
                new Situation("idle clients", false, 24, BackEnd.PAGE, 2_000, ALL),
                new Situation("few idle clients", false, 8, BackEnd.PAGE, 2_000, ALL),
                new Situation("slow clients of large files", true, 24, BackEnd.LARGE, 100, SLOW),
                new Situation("slow clients of large files", false, 24, BackEnd.LARGE, 100, SLOW),
                new Situation("pages in the cache", true, 24, BackEnd.PAGE, 100, ALL),
                new Situation("pages that are not there", true, 24, BackEnd.GONE, 10, ALL),
                new Situation("few that ask for pages that are not there", true, 8, BackEnd.GONE, 10, ALL));
    }

    String mpm() {
        return isEvent ? "event" : "prefork";
    }

    /** What an administrator makes of the example for it. */
    UnaryOperator<String> edit() {
        return text -> text.replaceAll("StartServers[\\s\\S]*MaxRequestWorkers \\d+\n", isEvent ? EVENT : PREFORK)
                .replace("mpm_event", "mpm_" + mpm())
                .replaceAll("KeepAliveTimeout \\d+", "KeepAliveTimeout 60\nMaxKeepAliveRequests 0");
    }
}
