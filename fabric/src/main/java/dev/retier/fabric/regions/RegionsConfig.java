package dev.retier.fabric.regions;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@link Regions} has to know beside its fabric.
 *
 * @param backing directory for sparse files that back the parts held here; they have no name and are gone with the
 *     process. Without one, parts are anonymous memory, all of it touched when it is made
 * @param drainBound how long a handle that is taken away may have operations under way, before its registration ends
 *     in spite of them
 * @param gatherBound how long a node that has started waits for all others' reports before it answers for names
 * @param absenceBound how long a node may be away before operations on its parts fail by {@link
 *     dev.retier.fabric.directory.RegionFailure#NODE_UNREACHABLE} instead of waiting for it until their deadline
 * @param chunkBytes bytes of one operation at most, a multiple of 8; longer ones are cut
 * @param chunks for operations under way to each peer; times {@code chunkBytes}, the memory that each peer costs
 */
public record RegionsConfig(
        Optional<Path> backing,
        Duration drainBound,
        Duration gatherBound,
        Duration absenceBound,
        int chunkBytes,
        int chunks) {
    private static final int MAX_CHUNK_BYTES = 1 << 24;
    private static final int MAX_CHUNKS = 1024;

    /** Refuses a configuration with problems by {@link IllegalArgumentException}, whose message lists all of them. */
    public RegionsConfig {
        List<String> problems = new ArrayList<>();
        if (chunkBytes < Long.BYTES || chunkBytes > MAX_CHUNK_BYTES || chunkBytes % Long.BYTES != 0) {
            problems.add("chunk bytes: " + chunkBytes + ", must be a multiple of 8 from 8 to " + MAX_CHUNK_BYTES);
        }
        if (chunks < 1 || chunks > MAX_CHUNKS) {
            problems.add("chunks: " + chunks + ", must be 1 to " + MAX_CHUNKS);
        }
        if (!drainBound.isPositive() || !gatherBound.isPositive() || !absenceBound.isPositive()) {
            problems.add("drain bound, gather bound and absence bound must be positive");
        }
        backing.filter(path -> !Files.isDirectory(path))
                .ifPresent(path -> problems.add("backing: " + path + " is not a directory"));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("regions: " + String.join("; ", problems));
        }
    }

    /** Anonymous memory, 500 ms to drain, 5 s to gather, 3 s of absence, 32 chunks of 16 KiB for each peer. */
    public static RegionsConfig defaults() {
        return new RegionsConfig(
                Optional.empty(), Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofSeconds(3), 16 * 1024, 32);
    }
}
