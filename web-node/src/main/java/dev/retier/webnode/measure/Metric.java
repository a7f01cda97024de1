package dev.retier.webnode.measure;

/** Every metric of a web-node. The Prometheus name is {@code retier_webnode_<id>[_<unit>][_total]}. */
public enum Metric {
    /** Labels {@code version} and {@code node}. */
    BUILD_INFO("build.info", "", "The version of this web-node; always 1."),
    /** Label {@code class}. */
    REQUESTS("requests", "", "Requests let in, by class."),
    /** Label {@code class}. */
    COMPLETED("completed", "", "Requests answered below status 500, by class."),
    /** Label {@code class}; buckets. */
    REQUEST_DURATION(
            "request.duration", "seconds", "Time from a request's arrival to the end of its answer, by class."),
    /** Counter. */
    ERRORS("errors", "", "Answers with status 500 or above, rejections included."),
    /** Counter. */
    REJECTED("rejected", "", "Requests answered 503 because too many were in flight."),
    /** Counter. */
    FORWARDED("forwarded", "", "Requests sent on to an app node."),
    /** Counter. */
    RETRIES("retries", "", "Tries beyond the first of a forwarded request."),
    /** Counter. */
    UPSTREAM_FAILURES("upstream.failures", "", "Tries that an app node did not answer."),
    /** Counter. */
    CACHE_HITS("cache.hits", "", "Static requests that a proxy answered from memory."),
    /** Counter. */
    CACHE_MISSES("cache.misses", "", "Static requests that a proxy had to fetch from an app node."),
    /** Counter. */
    LET_GO("connections.let.go", "", "Kept connections closed after an answer so that their clients spread."),
    /** Gauge. */
    SENDS_BY_LOADS(
            "sends.by.loads",
            "",
            "1 while a proxy knows fresh loads of its app nodes from its agent, and sends by them; else 0."),
    /** Gauge. */
    CACHE_ENTRIES("cache.entries", "", "Answers kept in memory now."),
    /** Gauge. */
    CACHE_SIZE("cache.size", "bytes", "Memory taken by kept answers now."),
    /** Counter of seconds. */
    BUSY("busy", "seconds", "Time the emulated server has worked; its rate is the utilisation."),
    /** Gauge. */
    BACKLOG("backlog", "seconds", "Time that the work accepted so far will still take."),
    /** Gauge. */
    CAPACITY("capacity.units.per.second", "", "Emulated capacity in units per second."),
    /** Gauge. */
    IN_FLIGHT("in.flight", "", "Requests in the node now."),
    /** Gauge. */
    CLIENT_IN_FLIGHT("client.in.flight", "", "Requests in the node now that came from clients, not from a node."),
    /** Gauge. */
    CONFIG_GENERATION("config.generation", "", "Epoch of the role file in force."),
    /** Gauge. */
    CONFIG_LAST_RELOAD_SUCCESSFUL(
            "config.last.reload.successful",
            "",
            "1 when the role file on disk is the one in force, 0 when it is refused."),
    /** Gauge, Unix time. */
    CONFIG_LAST_RELOAD_SUCCESS_TIMESTAMP(
            "config.last.reload.success.timestamp", "seconds", "When a role file was last applied, Unix time."),
    /** Counter. */
    CONFIG_APPLIED("config.applied", "", "Role files applied."),
    /** Counter. */
    CONFIG_REFUSED("config.refused", "", "Role files refused.");

    private static final String PREFIX = "retier.webnode.";

    private final String id;
    private final String unit;
    private final String sentence;

    Metric(String id, String unit, String sentence) {
        this.id = id;
        this.unit = unit;
        this.sentence = sentence;
    }

    /** The meter name in Micrometer's dotted form. */
    public String meterName() {
        return PREFIX + id;
    }

    /** Base unit, or empty for a plain number. */
    public String unit() {
        return unit;
    }

    /** What it tells, for people. */
    public String sentence() {
        return sentence;
    }
}
