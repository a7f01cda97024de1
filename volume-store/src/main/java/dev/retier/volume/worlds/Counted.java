package dev.retier.volume.worlds;

import java.util.Locale;

/** What is counted in a world, so that who looks at many of them sees that each of it has happened. */
enum Counted {
    /** Of writers' programs, that were done. */
    REQUESTS,
    FAULTS_INJECTED,
    POWER_CUTS,
    /** Of the server's process. */
    STARTS,
    /** Writers that learnt that somebody else has the volume. */
    FENCED,
    /** Flushes that were answered by a machine that had lost what they bring to the disk: it was sent again before. */
    SENT_AGAIN,
    /** Writes for which there was no room. */
    NO_ROOM,
    /** Bits that flipped where blocks and their checksums lie. */
    ROTTEN_BITS,
    /** Sectors there that could not be read any more. */
    UNREADABLE_SECTORS,
    /** Reads that failed as a block was not what was written, or could not be read. */
    DAMAGE_SEEN,
    /** Beside a writer, or of snapshots and clones. */
    READS_BESIDE,
    SNAPSHOTS,
    ROLLBACKS,
    CLONES,
    /** How often a thread ran. */
    EVENTS;

    /** As a table has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
