package dev.retier.volume.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What the journal tells of blocks that no checkpoint has brought to their clusters yet: for each the newest word. Rows
 * of blocks are kept as such, so that its size follows from the number of records and not from how much they speak of.
 * Not thread-safe.
 */
public final class JournalIndex {
    private final Map<Integer, NavigableMap<Long, Row>> volumes = new TreeMap<>();
    /** Of a volume that is a copy: the one whose blocks, as they were before all this, are its own. */
    private final Map<Integer, Integer> bases = new TreeMap<>();
    /** Of all volumes. */
    private long rows;

    /** Where the bytes of blocks are. */
    public sealed interface Source {
        /**
         * In one record of the journal.
         *
         * @param firstBlock the block that it begins with
         * @param dataOffset where in the segment that lies
         * @param sumsOffset where in the segment its checksum lies, the others behind it
         */
        record Journalled(long segment, long firstBlock, int dataOffset, int sumsOffset) implements Source {
            /** Where in the segment a block lies. */
            public long dataOffset(long block) {
                return dataOffset + (block - firstBlock) * Geometry.BLOCK_BYTES;
            }

            /** Where in the segment the checksum of a block lies. */
            public long sumOffset(long block) {
                return sumsOffset + (block - firstBlock) * Integer.BYTES;
            }
        }

        /** Nowhere: they are zeros. */
        record Zeros() implements Source {}
    }

    /** Blocks from {@code first} up to, and without, {@code end}. */
    public record Row(long first, long end, Source source) {
        private Row from(long block) {
            return new Row(Math.max(first, block), end, source);
        }

        private Row until(long block) {
            return new Row(first, Math.min(end, block), source);
        }
    }

    /** The newest word for a row of blocks. */
    public void set(int volume, Row row) {
        NavigableMap<Long, Row> all = volumes.computeIfAbsent(volume, _ -> new TreeMap<>());
        Row old = all.get(row.first);
        if (old == null || old.end != row.end) { // else it lies where that one did, as most do, and touches no other
            cut(volume, row.first, row.end);
            rows++;
        }
        all.put(row.first, row);
    }

    /** Knows nothing any more of the blocks from {@code first} up to, and without, {@code end}. */
    public void cut(int volume, long first, long end) {
        NavigableMap<Long, Row> all = volumes.get(volume);
        if (all == null) {
            return;
        }
        int before = all.size();
        for (Row old : overlapping(all, first, end)) {
            all.remove(old.first);
            if (old.first < first) {
                all.put(old.first, old.until(first));
            }
            if (old.end > end) {
                all.put(end, old.from(end));
            }
        }
        rows += all.size() - before;
    }

    /** The volume is gone. */
    public void forget(int volume) {
        rows -= rowsOf(volume);
        volumes.remove(volume);
        bases.remove(volume);
    }

    /** The volume has from now on what {@code source} has, and nothing of what it had. */
    public void copy(int volume, int source) {
        int base = baseOf(source);
        NavigableMap<Long, Row> all = volumes.get(source);
        forget(volume);
        bases.put(volume, base);
        if (all != null) {
            put(volume, all);
        }
    }

    private void put(int volume, NavigableMap<Long, Row> all) {
        volumes.put(volume, new TreeMap<>(all));
        rows += all.size();
    }

    /**
     * What this and, before it, {@code older} tell, as if all of it had been told to one.
     *
     * @param there the volumes that are there after this
     */
    public JournalIndex over(JournalIndex older, Collection<Integer> there) {
        JournalIndex all = new JournalIndex();
        for (int volume : there) {
            int base = baseOf(volume);
            if (bases.containsKey(volume) || older.bases.containsKey(base)) {
                all.bases.put(volume, older.baseOf(base));
            }
            NavigableMap<Long, Row> before = older.volumes.get(base);
            if (before != null) {
                all.put(volume, before);
            }
            of(volume).forEach(row -> all.set(volume, row));
        }
        return all;
    }

    /** The volume that had, before all that this tells, what lies under what this tells of {@code volume}. */
    public int baseOf(int volume) {
        return bases.getOrDefault(volume, volume);
    }

    /** Each volume lies on itself from now on: what had been another's has been given to it. */
    public void forgetBases() {
        bases.clear();
    }

    /** The volumes that lie on another, and on which. */
    public Map<Integer, Integer> bases() {
        return Map.copyOf(bases);
    }

    /** What it knows of the blocks from {@code first} up to, and without, {@code end}: in order, cut to these. */
    public List<Row> of(int volume, long first, long end) {
        NavigableMap<Long, Row> all = volumes.get(volume);
        return all == null
                ? List.of()
                : overlapping(all, first, end).stream()
                        .map(row -> row.from(first).until(end))
                        .toList();
    }

    private static List<Row> overlapping(NavigableMap<Long, Row> all, long first, long end) {
        List<Row> found = new ArrayList<>(0); // of most there is none, as recovery asks
        Map.Entry<Long, Row> next = all.floorEntry(first);
        if (next == null || next.getValue().end <= first) {
            next = all.higherEntry(first);
        }
        while (next != null && next.getKey() < end) {
            found.add(next.getValue());
            next = all.higherEntry(next.getKey());
        }
        return found;
    }

    /** All that it knows of one volume, in order. */
    public List<Row> of(int volume) {
        NavigableMap<Long, Row> all = volumes.get(volume);
        return all == null ? List.of() : List.copyOf(all.values());
    }

    /** How many rows it has, which is what its memory follows from. */
    public long rows() {
        return rows;
    }

    /** How many of them are of one volume: so many more has a copy of it. */
    public int rowsOf(int volume) {
        NavigableMap<Long, Row> all = volumes.get(volume);
        return all == null ? 0 : all.size();
    }

    /** The volumes of which it knows anything. */
    public List<Integer> volumes() {
        return List.copyOf(volumes.keySet());
    }
}
