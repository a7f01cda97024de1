package dev.retier.webnode.config;

import dev.retier.config.ConfigReader;
import dev.retier.config.Fields;
import dev.retier.config.HostPort;
import dev.retier.config.Parsed;
import dev.retier.config.Problems;
import dev.retier.undertow.role.RoleFile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The operator's settings of one web-node. Read once, at start.
 *
 * @param node its name
 * @param listen where clients and proxies reach it; port 0 lets the system choose
 * @param admin where status, metrics and health are served; port 0 lets the system choose
 * @param roleFile the file that an agent generates, see {@link RoleFile}
 * @param capacityUnitsPerSecond emulated capacity, above 0
 * @param costs what each kind of work takes of it
 * @param content the synthetic static content
 * @param cacheBytes most bytes of bodies that a proxy keeps in memory, 0 for no cache
 * @param limits bounds
 * @param ioThreads I/O threads of a node that runs alone; nodes that share a runtime use its threads, 1..64
 */
public record WebNodeSettings(
        String node,
        HostPort listen,
        HostPort admin,
        Path roleFile,
        double capacityUnitsPerSecond,
        Costs costs,
        ContentSettings content,
        long cacheBytes,
        Limits limits,
        int ioThreads) {
    private static final long DEFAULT_CACHE_BYTES = 64L << 20;
    private static final int DEFAULT_IO_THREADS = 1;
    private static final int MAX_IO_THREADS = 64;
    private static final Pattern FILE_NAME = Pattern.compile("[^\\p{Cntrl}]{1,4096}");

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is violated
     */
    public WebNodeSettings {
        if (!RoleFile.NAME.matcher(node).matches()) {
            throw new IllegalArgumentException("node name \"" + node + "\": " + RoleFile.NAME_REMEDY);
        }
        if (!(capacityUnitsPerSecond > 0) || Double.isInfinite(capacityUnitsPerSecond)) {
            throw new IllegalArgumentException("capacity must be above 0 units/s: " + capacityUnitsPerSecond);
        }
        if (cacheBytes < 0 || ioThreads < 1 || ioThreads > MAX_IO_THREADS) {
            throw new IllegalArgumentException("cache-bytes starts at 0, io-threads lies in 1.." + MAX_IO_THREADS);
        }
    }

    /** Settings with every default, for nodes that a program embeds. */
    public static WebNodeSettings of(
            String node, HostPort listen, HostPort admin, Path roleFile, double capacityUnitsPerSecond) {
        return new WebNodeSettings(
                node,
                listen,
                admin,
                roleFile,
                capacityUnitsPerSecond,
                Costs.DEFAULTS,
                ContentSettings.DEFAULTS,
                DEFAULT_CACHE_BYTES,
                Limits.DEFAULTS,
                DEFAULT_IO_THREADS);
    }

    /** The same with other costs. */
    public WebNodeSettings withCosts(Costs other) {
        return new WebNodeSettings(
                node, listen, admin, roleFile, capacityUnitsPerSecond, other, content, cacheBytes, limits, ioThreads);
    }

    /** The same with other limits. */
    public WebNodeSettings withLimits(Limits other) {
        return new WebNodeSettings(
                node, listen, admin, roleFile, capacityUnitsPerSecond, costs, content, cacheBytes, other, ioThreads);
    }

    /**
     * Reads a settings file. Unknown keys, wrong types and values out of range are all reported together.
     *
     * @param bytes the content, UTF-8
     * @param file where it lies: problems name it, and a relative {@code role-file} starts from its folder
     */
    public static Parsed<WebNodeSettings> parse(byte[] bytes, Path file) {
        Problems problems = new Problems(file.toString());
        Fields fields = Fields.root(ConfigReader.json(bytes, problems), problems);
        String node = fields.text("node", RoleFile.NAME, RoleFile.NAME_REMEDY);
        HostPort listen = fields.address("listen", 0);
        HostPort admin = fields.address("admin", 0);
        String roleFile = fields.text("role-file", FILE_NAME, "name the file that the agent writes");
        double capacity = fields.number("capacity-units-per-second", null, 0.001, 1e9);
        Costs costs = Costs.parse(fields.section("costs"));
        ContentSettings content = ContentSettings.parse(fields.section("content"));
        long cacheBytes = fields.wholeNumber("cache-bytes", DEFAULT_CACHE_BYTES, 0, Long.MAX_VALUE);
        Limits limits = Limits.parse(fields.section("limits"));
        int ioThreads = fields.integer("io-threads", DEFAULT_IO_THREADS, 1, MAX_IO_THREADS);
        fields.finish();
        if (problems.isEmpty() && listen.equals(admin) && listen.port() != 0) {
            fields.problem("admin", admin + " is also the listen address; give each its own port");
        }
        Path resolved = resolve(file, roleFile, fields);
        if (!problems.isEmpty()) {
            return new Parsed.Refused<>(problems.list());
        }
        return new Parsed.Good<>(new WebNodeSettings(
                node, listen, admin, resolved, capacity, costs, content, cacheBytes, limits, ioThreads));
    }

    private static Path resolve(Path settingsFile, String roleFile, Fields fields) {
        try {
            return settingsFile.resolveSibling(roleFile).normalize();
        } catch (InvalidPathException e) {
            fields.problem("role-file", "not a file name: " + e.getReason() + "; name the file that the agent writes");
            return settingsFile;
        }
    }
}
