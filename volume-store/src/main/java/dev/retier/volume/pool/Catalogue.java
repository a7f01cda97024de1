package dev.retier.volume.pool;

import dev.retier.volume.VolumeName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The volumes of a pool and their snapshots, and what is known of each beside its blocks. A value.
 *
 * @param entries by number; numbers are never used again
 * @param lastNumber the highest number that was ever given
 */
public record Catalogue(SortedMap<Integer, Entry> entries, int lastNumber) {
    /** Of a new pool. */
    public static final Catalogue EMPTY = new Catalogue(new TreeMap<>(), 0);

    /** Volumes and snapshots together; more are refused. */
    public static final int MOST_ENTRIES = 65_536;

    /** Of format 1: its entries have no parent, and no family behind that. */
    private static final int MAGIC_1 = 0x5443_5452;

    /** Of format 2: writers were nodes, and who made a volume was not kept. */
    private static final int MAGIC_2 = 0x3243_5452;

    private static final int MAGIC = 0x3343_5452;
    private static final int HEADER_BYTES = 32;
    private static final int ENTRY_BYTES = 52;
    private static final int CRC_OFFSET = 28;

    /**
     * A volume or a snapshot.
     *
     * @param bytes its size
     * @param epoch of the newest attachment for writing, unsigned; 0 before the first
     * @param writer the client that attached it so, by its life; 0 for none
     * @param parent of which it is a snapshot; 0 for a volume
     * @param family the number of the volume from which all came that may share clusters with this
     * @param maker whose request made it
     */
    public record Entry(
            VolumeName name, long bytes, int epoch, long writer, int parent, int family, JournalRecord.Maker maker) {
        /** A volume that has nothing of another's. */
        private static Entry made(JournalRecord.Created made) {
            return new Entry(made.name(), made.bytes(), 0, 0, 0, made.volume(), made.maker());
        }

        /** Whether it is a snapshot. */
        public boolean isSnapshot() {
            return parent != 0;
        }

        /** Whether somebody has attached it since an attachment of that epoch, unsigned. */
        public boolean isTakenFrom(int attached) {
            return Integer.compareUnsigned(attached, epoch) < 0;
        }

        /** Attachments may be told in another order than they were given in: the highest counts. */
        private Entry after(JournalRecord.Attached attached) {
            return isTakenFrom(attached.epoch())
                    ? this
                    : new Entry(name, bytes, attached.epoch(), attached.client(), parent, family, maker);
        }

        private Entry resized(long now) {
            return new Entry(name, now, epoch, writer, parent, family, maker);
        }
    }

    /** Keeps its own copy. */
    public Catalogue {
        entries = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /** Without the snapshots. */
    public SortedMap<Integer, Entry> volumes() {
        SortedMap<Integer, Entry> volumes = new TreeMap<>(entries);
        volumes.values().removeIf(Entry::isSnapshot);
        return volumes;
    }

    /** The volume of that name, if there is one. */
    public Optional<Integer> numberOf(VolumeName name) {
        return snapshotOf(0, name);
    }

    /** The snapshot of that volume and name, if there is one. */
    public Optional<Integer> snapshotOf(int parent, VolumeName name) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().parent() == parent
                        && entry.getValue().name().equals(name))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether there is a snapshot of that volume. */
    public boolean hasSnapshots(int volume) {
        return entries.values().stream().anyMatch(entry -> entry.parent() == volume);
    }

    /** After {@code record}; one that speaks of an unknown volume changes nothing. */
    public Catalogue after(JournalRecord record) {
        if (record instanceof JournalRecord.Written || record instanceof JournalRecord.Zeroed) {
            return this;
        }
        SortedMap<Integer, Entry> next = new TreeMap<>(entries);
        int number = record.volume();
        switch (record) {
            case JournalRecord.Created created -> next.put(number, Entry.made(created));
            case JournalRecord.Deleted _ -> next.remove(number);
            case JournalRecord.Resized resized ->
                next.computeIfPresent(number, (_, entry) -> entry.resized(resized.bytes()));
            case JournalRecord.Attached attached -> next.computeIfPresent(number, (_, entry) -> entry.after(attached));
            case JournalRecord.Copied copied -> {
                Entry source = next.get(copied.source());
                if (source != null) {
                    next.put(
                            number,
                            new Entry(
                                    copied.name(),
                                    source.bytes,
                                    0,
                                    0,
                                    copied.parent(),
                                    source.family,
                                    JournalRecord.Maker.NOBODY));
                }
            }
            case JournalRecord.RolledBack rolled -> {
                Entry source = next.get(rolled.source());
                if (source != null) {
                    next.computeIfPresent(number, (_, entry) -> entry.resized(source.bytes));
                }
            }
            case JournalRecord.Written _, JournalRecord.Zeroed _ -> throw new IllegalStateException("said above");
        }
        return new Catalogue(next, Math.max(lastNumber, number));
    }

    /** As it is written with the checkpoint of that number. */
    public ByteBuffer encode(long checkpoint) {
        int length = HEADER_BYTES
                + entries.values().stream()
                        .mapToInt(entry -> ENTRY_BYTES + entry.name.value().length())
                        .sum();
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC)
                .putInt(length)
                .putLong(checkpoint)
                .putInt(lastNumber)
                .putInt(entries.size())
                .position(HEADER_BYTES);
        entries.forEach((number, entry) -> {
            byte[] name = entry.name.value().getBytes(StandardCharsets.US_ASCII);
            bytes.putInt(number)
                    .putInt(entry.epoch)
                    .putLong(entry.bytes)
                    .putLong(entry.writer)
                    .putInt(entry.parent)
                    .putInt(entry.family)
                    .putLong(entry.maker.client())
                    .putLong(entry.maker.sequence())
                    .putInt(name.length)
                    .put(name);
        });
        bytes.putInt(CRC_OFFSET, Checksums.around(bytes.clear(), CRC_OFFSET));
        return bytes.clear();
    }

    /** The one that was written with the checkpoint of that number, if {@code bytes} are a good one. */
    public static Optional<Catalogue> parse(ByteBuffer bytes, long checkpoint) {
        ByteBuffer fields = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        if (fields.capacity() < HEADER_BYTES || fields.getLong(8) != checkpoint) {
            return Optional.empty();
        }
        int magic = fields.getInt(0);
        int length = fields.getInt(4);
        if ((magic != MAGIC && magic != MAGIC_1 && magic != MAGIC_2)
                || length < HEADER_BYTES
                || length > fields.capacity()
                || fields.getInt(CRC_OFFSET) != Checksums.around(fields.slice(0, length), CRC_OFFSET)) {
            return Optional.empty();
        }
        int lastNumber = fields.getInt(16);
        int count = fields.getInt(20);
        fields.position(HEADER_BYTES);
        SortedMap<Integer, Entry> entries = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int number = fields.getInt();
            int epoch = fields.getInt();
            long size = fields.getLong();
            long writer = magic == MAGIC ? fields.getLong() : fields.getInt();
            int parent = fields.getInt();
            int family = magic == MAGIC_1 ? number : fields.getInt();
            JournalRecord.Maker maker = magic == MAGIC
                    ? new JournalRecord.Maker(fields.getLong(), fields.getLong())
                    : JournalRecord.Maker.NOBODY;
            byte[] text = new byte[fields.getInt()];
            fields.get(text);
            VolumeName name = new VolumeName(new String(text, StandardCharsets.US_ASCII));
            entries.put(number, new Entry(name, size, epoch, writer, parent, family, maker));
        }
        return Optional.of(new Catalogue(entries, lastNumber));
    }
}
