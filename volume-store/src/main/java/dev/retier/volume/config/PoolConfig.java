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
 * @param clients how many there may be, and with how much each
 * @param diskThreads that read and write for all of them
 * @param times how long it waits for whom
 * @param scrub how it proves what it has
 * @param priorities of volumes, from 1, the highest, which others have
 * @param admin where it serves metrics and health over HTTP, if anywhere
 */
public record PoolConfig(
        Path directory,
        HostPort listen,
        Path secretFile,
        Transport transport,
        Journal journal,
        Cache cache,
        Clients clients,
        int diskThreads,
        Times times,
        Scrub scrub,
        Map<VolumeName, Integer> priorities,
        Optional<HostPort> admin) {
    private static final Pattern PATH = Pattern.compile("\\P{Cntrl}{1,4096}");

    private static final long LEAST_JOURNAL = 16L << 20;
    private static final long MOST_JOURNAL = 1L << 40;
    private static final long MOST_CACHE = 1L << 40;
    private static final int MOST_SEGMENT = 64 << 20;
    private static final int SEGMENTS = 4;
    private static final int MOST_CREDITS = 256;
    private static final int MOST_CLIENTS = 1024;
    private static final long LEAST_SLOT = 4 << 10;
    /** Clients ask for no more at once, so more would be memory for nothing. */
    private static final long MOST_SLOT = Request.MOST_DATA_BYTES;

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
     * @param sync when a change comes to the disk
     */
    public record Journal(int segmentBytes, long bytes, Sync sync) {}

    /** When a change comes to the disk. */
    public enum Sync {
        /** With the next flush that a client asks for. */
        FLUSH,
        /** Before it is answered. */
        ALWAYS
    }

    /**
     * Of reading all there is to prove it.
     *
     * @param rate bytes per second; 0 for never
     * @param every from one beginning to the next
     */
    public record Scrub(long rate, Duration every) {}

    /**
     * Of the block cache.
     *
     * @param bytes of memory; 0 for none
     * @param policy who leaves when there is no room
     */
    public record Cache(long bytes, CachePolicy policy) {}

    /**
     * Of the clients.
     *
     * @param most that may be connected
     * @param credits requests of one that may be under way
     * @param slotBytes of data of one request
     */
    public record Clients(int most, int credits, int slotBytes) {}

    /**
     * How long.
     *
     * @param lease after which a client that says nothing may be replaced
     * @param quiesce for what was there before at most
     * @param stall until a connection whose other end is silent ends
     */
    public record Times(Duration lease, Duration quiesce, Duration stall) {}

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
        Clients clients = new Clients(
                fields.integer("clients", 64, 1, MOST_CLIENTS), fields.integer("credits", 64, 1, MOST_CREDITS), (int)
                        fields.size("staging-slot", 64L << 10, LEAST_SLOT, MOST_SLOT));
        int diskThreads = fields.integer("disk-threads", 4, 1, MOST_CLIENTS);
        Times times = new Times(
                fields.duration("lease", Duration.ofSeconds(3), LEAST_LEASE, MOST),
                fields.duration("quiesce", Duration.ofSeconds(5), LEAST, MOST),
                fields.duration("stall", Duration.ofSeconds(2), LEAST, MOST));
        Scrub scrub = new Scrub(
                fields.size("scrub-rate", 16L << 20, 0, MOST_CACHE),
                fields.duration("scrub-every", Duration.ofDays(7), LEAST, MOST_SCRUB));
        Map<VolumeName, Integer> priorities = priorities(fields, problems);
        Optional<HostPort> admin = fields.has("admin") ? Optional.of(fields.address("admin", 0)) : Optional.empty();
        fields.finish();
        if (!problems.isEmpty()) {
            throw problems.toException();
        }
        int segment = (int) Math.min(MOST_SEGMENT, journal / SEGMENTS);
        return new PoolConfig(
                directory,
                listen,
                secret,
                transport,
                new Journal(segment, journal, sync),
                cache,
                clients,
                diskThreads,
                times,
                scrub,
                priorities,
                admin);
    }

    private static Map<VolumeName, Integer> priorities(Fields fields, Problems problems) {
        Map<VolumeName, Integer> priorities = new HashMap<>();
        fields.optionalList("priorities", MOST_VOLUMES, (value, where) -> {
            Fields item = Fields.of(value, where, problems);
            String name = item.text("volume", ANY, "name a volume");
            int priority = item.integer("priority", null, 1, LOWEST_PRIORITY);
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

    /** Memory that clients may take, when all are there: two slots for each request, and what one is copied to. */
    public long clientBytes() {
        long slot = Request.BYTES + (long) clients.slotBytes;
        return clients.most * (2L * clients.credits + 1) * slot + diskThreads * slot;
    }
}
