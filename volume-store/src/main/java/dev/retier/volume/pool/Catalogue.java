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
 * The volumes of a pool, and what is known of each beside its blocks. A value.
 *
 * @param entries by number; numbers are never used again
 * @param lastNumber the highest number that was ever given
 */
public record Catalogue(SortedMap<Integer, Entry> entries, int lastNumber) {
    /** Of a new pool. */
    public static final Catalogue EMPTY = new Catalogue(new TreeMap<>(), 0);

    private static final int MAGIC = 0x5443_5452;
    private static final int HEADER_BYTES = 32;
    private static final int ENTRY_BYTES = 28;
    private static final int CRC_OFFSET = 28;

    /**
     * One volume.
     *
     * @param bytes its size
     * @param epoch of the newest attachment for writing, unsigned; 0 before the first
     * @param writer the node that attached it so; 0 for none
     */
    public record Entry(VolumeName name, long bytes, int epoch, int writer) {
        /** Attachments may be told in another order than they were given in: the highest counts. */
        private Entry after(JournalRecord.Attached attached) {
            return Integer.compareUnsigned(attached.epoch(), epoch) < 0
                    ? this
                    : new Entry(name, bytes, attached.epoch(), attached.node());
        }
    }

    /** Keeps its own copy. */
    public Catalogue {
        entries = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /** The volume of that name, if there is one. */
    public Optional<Integer> numberOf(VolumeName name) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().name().equals(name))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** After {@code record}; one that speaks of an unknown volume changes nothing. */
    public Catalogue after(JournalRecord record) {
        SortedMap<Integer, Entry> next = new TreeMap<>(entries);
        int number = record.volume();
        switch (record) {
            case JournalRecord.Created created -> next.put(number, new Entry(created.name(), created.bytes(), 0, 0));
            case JournalRecord.Deleted _ -> next.remove(number);
            case JournalRecord.Resized resized ->
                next.computeIfPresent(
                        number, (_, entry) -> new Entry(entry.name, resized.bytes(), entry.epoch, entry.writer));
            case JournalRecord.Attached attached -> next.computeIfPresent(number, (_, entry) -> entry.after(attached));
            case JournalRecord.Written _, JournalRecord.Zeroed _ -> {
                return this;
            }
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
                    .putInt(entry.writer)
                    .putInt(0)
                    .putInt(name.length)
                    .put(name);
        });
        bytes.putInt(CRC_OFFSET, Checksums.around(bytes.clear(), CRC_OFFSET));
        return bytes.clear();
    }

    /** The one that was written with the checkpoint of that number, if {@code bytes} are a good one. */
    public static Optional<Catalogue> parse(ByteBuffer bytes, long checkpoint) {
        ByteBuffer fields = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        if (fields.capacity() < HEADER_BYTES || fields.getInt(0) != MAGIC || fields.getLong(8) != checkpoint) {
            return Optional.empty();
        }
        int length = fields.getInt(4);
        if (length < HEADER_BYTES
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
            int writer = fields.getInt();
            fields.getInt();
            byte[] name = new byte[fields.getInt()];
            fields.get(name);
            entries.put(
                    number,
                    new Entry(new VolumeName(new String(name, StandardCharsets.US_ASCII)), size, epoch, writer));
        }
        return Optional.of(new Catalogue(entries, lastNumber));
    }
}
