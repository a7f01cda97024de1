package dev.retier.volume.config;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigReader;
import dev.retier.config.Fields;
import dev.retier.config.HostPort;
import dev.retier.config.Problems;
import dev.retier.link.Transport;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.wire.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A volume server's file.
 *
 * @param directory where the pool is
 * @param listen where it takes connections
 * @param secretFile where the secret is that its clients prove; never the secret itself
 * @param transport which provider of the verbs API to use
 * @param journal how much of it there may be
 * @param cache how many blocks are in memory, and which
 * @param limits of its clients and threads
 * @param times how long it waits for whom
 * @param care of what it has
 * @param admin where it serves metrics and health over HTTP, if anywhere
 */
public record PoolConfig(
        Path directory,
        HostPort listen,
        Path secretFile,
        Transport transport,
        Journal journal,
        Cache cache,
        Limits limits,
        Times times,
        Care care,
        Optional<HostPort> admin) {
    private static final Pattern PATH = Pattern.compile("\\P{Cntrl}{1,4096}");

    private static final long LEAST_JOURNAL = 16L << 20;
    private static final long MOST_JOURNAL = 1L << 40;
    private static final long MOST_CACHE = 1L << 40;
    private static final int MOST_SEGMENT = 64 << 20;
    private static final int SEGMENTS = 4;

    private static final Duration LEAST = Duration.ofMillis(100);
    /** A client that has nothing to do says so four times per second. */
    private static final Duration LEAST_LEASE = Duration.ofSeconds(1);

    private static final Duration MOST = Duration.ofMinutes(10);
    private static final int LOWEST_PRIORITY = 63;
    private static final int MOST_VOLUMES = 1024;
    private static final Pattern ANY = Pattern.compile(".*");
    private static final Duration MOST_SCRUB = Duration.ofDays(365);

    /**
     * Of the journal.
     *
     * @param segmentBytes of one file
     * @param bytes of all
     */
    public record Journal(int segmentBytes, long bytes) {}

    /** When a change comes to the disk. */
    private enum Sync {
        /** With the next flush that a client asks for. */
        FLUSH,
        /** Before it is answered. */
        ALWAYS
    }

    /**
     * Of the block cache.
     *
     * @param bytes of memory; 0 for none
     * @param policy who leaves when there is no room
     */
    public record Cache(long bytes, CachePolicy policy) {}

    /**
     * What {@code text} says.
     *
     * @param file its name, for messages
     * @throws ConfigException with every problem
     */
    public static PoolConfig parse(String text, String file) {
        Problems problems = new Problems(file);
        Fields fields = Fields.root(ConfigReader.yaml(text, problems), problems);
        Path directory = Path.of(fields.text("directory", PATH, "name a folder"));
        HostPort listen = fields.address("listen", 1);
        Path secret = Path.of(fields.text("secret-file", PATH, "name a file"));
        Transport transport = fields.oneOf("transport", Transport.values(), Transport.IWARP, Fields::lowerCase);
        long journal = fields.size("journal-bytes", 1L << 30, LEAST_JOURNAL, MOST_JOURNAL);
        Sync sync = fields.oneOf("journal-sync", Sync.values(), Sync.FLUSH, Fields::lowerCase);
        Cache cache = new Cache(
                fields.size("cache-bytes", 256L << 20, 0, MOST_CACHE),
                fields.oneOf("cache-policy", CachePolicy.values(), CachePolicy.MQ, Fields::lowerCase));
        Limits limits = limits(fields);
        Times times = new Times(
                fields.duration("lease", Times.DEFAULT.lease(), LEAST_LEASE, MOST),
                fields.duration("quiesce", Times.DEFAULT.quiesce(), LEAST, MOST),
                fields.duration("stall", Times.DEFAULT.stall(), LEAST, MOST));
        Care care = new Care(
                sync == Sync.ALWAYS,
                fields.size("scrub-rate", 16L << 20, 0, MOST_CACHE),
                fields.duration("scrub-every", Duration.ofDays(7), LEAST, MOST_SCRUB),
                priorities(fields, problems));
        Optional<HostPort> admin = fields.has("admin") ? Optional.of(fields.address("admin", 0)) : Optional.empty();
        fields.finish();
        if (!problems.isEmpty()) {
            throw problems.toException();
        }
        int segment = (int) Math.min(MOST_SEGMENT, journal / SEGMENTS);
        return new PoolConfig(
                directory, listen, secret, transport, new Journal(segment, journal), cache, limits, times, care, admin);
    }

    private static Limits limits(Fields fields) {
        Limits usual = Limits.DEFAULT;
        int clients = fields.integer("clients", usual.clients(), 1, Limits.MOST);
        int credits = fields.integer("credits", usual.slots(), 1, Limits.MOST_SLOTS);
        long data = fields.size(
                "staging-slot", (long) usual.slotBytes() - Request.BYTES, Limits.LEAST_DATA, Limits.MOST_DATA);
        int diskThreads = fields.integer("disk-threads", usual.diskThreads(), 1, Limits.MOST);
        return new Limits(credits, (int) data + Request.BYTES, clients, diskThreads);
    }

    private static Map<VolumeName, Integer> priorities(Fields fields, Problems problems) {
        Map<VolumeName, Integer> priorities = new HashMap<>();
        fields.optionalList("priorities", MOST_VOLUMES, (value, where) -> {
            Fields item = Fields.of(value, where, problems);
            String name = item.text("volume", ANY, "name a volume");
            int priority = item.integer("priority", null, Care.HIGHEST, LOWEST_PRIORITY);
            item.finish();
            Optional<VolumeName> volume = VolumeName.parse(name);
            if (volume.isEmpty() && !item.isRefused("volume")) {
                item.problem("volume", "\"" + name + "\" is no name of a volume; name one as it was created");
            } else if (volume.isPresent() && priorities.put(volume.get(), priority) != null) {
                item.problem("volume", "two items are about " + name + "; give it one priority");
            }
            return priority;
        });
        return priorities;
    }
}
