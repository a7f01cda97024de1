package dev.retier.volume.serve;

import dev.retier.link.Metric;

/** What a volume server keeps of what it does, beside what it counts of its connections. */
@SuppressWarnings("ImmutableEnumChecker") // a form is a record of immutable values
public enum VolumeMetric implements Metric {
    /** Labels {@code operation}; told to a {@link ServerListener}. */
    REQUEST_DURATION(
            "volume.request.duration", Kind.TIMER, "Time from a request's turn to its answer, by what was asked for."),
    /** Told to a {@link ServerListener}. */
    QUIESCE_DURATION(
            "volume.quiesce.duration",
            Kind.TIMER,
            "Time that a client waited, as it attached or came back, for what ran of the connection before."),
    /** See {@link #sentence()}. */
    READ_BYTES("volume.read.bytes", Kind.COUNTER, "Data that reads were answered."),
    /** See {@link #sentence()}. */
    WRITTEN_BYTES("volume.written.bytes", Kind.COUNTER, "Data of writes that were answered."),
    /** See {@link #sentence()}. */
    CACHE_HITS("volume.cache.hits", Kind.COUNTER, "Blocks that were to be read and that the block cache had."),
    /** See {@link #sentence()}. */
    CACHE_MISSES("volume.cache.misses", Kind.COUNTER, "Blocks that were to be read and that it had not."),
    /** See {@link #sentence()}. */
    CACHE_BLOCKS("volume.cache.blocks", Kind.GAUGE, "Blocks that the block cache has now."),
    /** See {@link #sentence()}. */
    CACHE_AHEAD_USED("volume.cache.ahead.used", Kind.COUNTER, "Blocks that were read ahead, and then asked for."),
    /** See {@link #sentence()}. */
    CACHE_AHEAD_UNUSED(
            "volume.cache.ahead.unused",
            Kind.COUNTER,
            "Blocks that were read ahead, and left or were written before anybody asked for them."),
    /** See {@link #sentence()}. */
    REFUSED("volume.requests.refused", Kind.COUNTER, "Requests that were answered with a refusal or an error."),
    /** See {@link #sentence()}. */
    FENCED(
            "volume.requests.fenced",
            Kind.COUNTER,
            "Those of them whose client has not attached the volume, or no more."),
    /** See {@link #sentence()}. */
    FORCES("volume.forces", Kind.COUNTER, "Times that the journal was brought to the disk for flushes that waited."),
    /** See {@link #sentence()}. */
    FORCED_FLUSHES(
            "volume.forced.flushes", Kind.COUNTER, "Flushes that these answered: by forces it is the size of a group."),
    /** See {@link #sentence()}. */
    CREDITS_USED_UP(
            "volume.credits.used.up", Kind.COUNTER, "Requests that took the last one that their client may have."),
    /** See {@link #sentence()}. */
    CHECKSUM_ERRORS_ON_THE_WAY(
            "volume.checksum.errors.wire", Kind.COUNTER, "Requests whose data was not what its client had sent."),
    /** See {@link #sentence()}. */
    CHECKSUM_ERRORS_ON_DISK(
            "volume.checksum.errors.disk",
            Kind.COUNTER,
            "Reads of a block that is not what was written, or that the disk cannot read."),
    /** See {@link #sentence()}. */
    SCRUBBED_BYTES("volume.scrubbed.bytes", Kind.COUNTER, "What was read to prove it, asked for or not."),
    /** See {@link #sentence()}. */
    SCRUBBED_BROKEN(
            "volume.scrubbed.broken",
            Kind.COUNTER,
            "Blocks that this found not to be what was written; each time that it found them."),
    /** See {@link #sentence()}. */
    CLIENTS("volume.clients", Kind.GAUGE, "Clients that are connected."),
    /** See {@link #sentence()}. */
    VOLUMES("volume.volumes", Kind.GAUGE, "Volumes that there are."),
    /** See {@link #sentence()}. */
    ATTACHED("volume.attached", Kind.GAUGE, "Volumes that a client has attached."),
    /** See {@link #sentence()}. */
    USED_BYTES("volume.used.bytes", Kind.GAUGE, "Clusters that hold something, as of the newest checkpoint, in bytes."),
    /** See {@link #sentence()}. */
    FREE_BYTES("volume.free.bytes", Kind.GAUGE, "Room that the pool's file system has left."),
    /** See {@link #sentence()}. */
    NEEDED_BYTES(
            "volume.needed.bytes",
            Kind.GAUGE,
            "Room that it should have left, so that nothing is refused: with less the server warns."),
    /** See {@link #sentence()}. */
    JOURNAL_BYTES("volume.journal.bytes", Kind.GAUGE, "Size of the journal now."),
    /** See {@link #sentence()}. */
    JOURNAL_LIMIT_BYTES(
            "volume.journal.limit.bytes", Kind.GAUGE, "Size that it may have; at half of it a checkpoint begins."),
    /** See {@link #sentence()}. */
    TAKES_CHANGES("volume.takes.changes", Kind.GAUGE, "1 while the pool takes changes, 0 since it has failed.");

    private final Form form;

    VolumeMetric(String id, Kind kind, String sentence) {
        this.form = new Form(id, kind, sentence);
    }

    @Override
    public Form form() {
        return form;
    }
}
