package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.disk.PoolCheck.Finding;
import dev.retier.volume.disk.PoolCheck.Kind;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.JournalCodec;
import dev.retier.volume.pool.JournalRecord;
import dev.retier.volume.pool.JournalRecord.Attached;
import dev.retier.volume.pool.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Gives up what lies behind the place where a pool's journal is broken, for who has no copy of the pool: volumes have
 * then what they had when the last good record was written, and who had one attached to write to it is fenced, as it
 * knows of more. What is cut off stays in the journal's folder under other names. Used by one thread, once.
 */
public final class JournalCut implements AutoCloseable {
    private static final int CHUNK = 1 << 20;
    private static final int LAST_EPOCH = -1;

    private final PoolFiles files;
    private final JournalScan scan;
    /** As of the last good record, and with all that can still be read behind it. */
    private Catalogue catalogue;

    private final Map<Integer, Map<String, Long>> lost = new TreeMap<>();
    private final Map<Integer, String> names = new TreeMap<>();
    private long readable;

    private JournalCut(PoolFiles files) throws IOException {
        this.files = files;
        Superblock newest = files.newest();
        this.catalogue = files.catalogue(newest.checkpoint());
        this.scan = JournalScan.of(
                files.disk,
                newest.firstSegment(),
                newest.firstNumber(),
                (record, _) -> catalogue = catalogue.after(record));
        catalogue.entries().forEach((volume, entry) -> names.put(volume, name(entry)));
    }

    private String name(Catalogue.Entry entry) {
        Catalogue.Entry parent = catalogue.entries().get(entry.parent());
        return parent == null ? entry.name().value() : parent.name() + "@" + entry.name();
    }

    /**
     * Looks at the journal of the pool on {@code disk}, and changes nothing.
     *
     * @throws IOException if that cannot be read, or the journal is not broken
     */
    public static JournalCut of(Disk disk) throws IOException {
        JournalCut cut = new JournalCut(new PoolFiles(disk));
        if (!cut.scan.isBroken()) {
            throw new IOException("the journal is not broken: there is nothing to give up");
        }
        for (var each : cut.scan.segments().tailMap(cut.scan.end(), true).entrySet()) {
            cut.count(each.getValue(), each.getKey() == cut.scan.end() ? cut.scan.tail() : 0);
        }
        return cut;
    }

    /** What can still be read there. */
    private void count(DiskFile file, int from) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
        Unread unread = Unread.reading(file, bytes.duplicate(), 0);
        for (int at = from; at < bytes.capacity(); ) {
            OptionalLong number = JournalCodec.numberAt(bytes, at);
            Optional<JournalCodec.Found> found = number.isPresent() && number.getAsLong() > scan.number()
                    ? JournalCodec.parse(bytes, at, number.getAsLong(), unread::touches)
                    : Optional.empty();
            found.ifPresent(each -> count(each.record()));
            at = found.map(JournalCodec.Found::end).orElse(at + JournalCodec.ALIGNMENT);
        }
    }

    private void count(JournalRecord record) {
        readable++;
        Map<String, Long> mine = lost.computeIfAbsent(record.volume(), _ -> new TreeMap<>());
        String what = switch (record) {
            case JournalRecord.Written written -> {
                mine.merge("blocks written", (long) written.blocks(), Long::sum);
                yield "writes";
            }
            case JournalRecord.Zeroed _ -> "trims";
            case JournalRecord.Resized _ -> "changes of its size";
            case JournalRecord.RolledBack _ -> "rollbacks";
            case Attached _ -> "changes of who writes to it";
            case JournalRecord.Deleted _ -> "deletions: it is there again";
            case JournalRecord.Created created -> {
                names.putIfAbsent(created.volume(), created.name().value());
                yield "creations: it is gone";
            }
            case JournalRecord.Copied copied -> {
                names.putIfAbsent(copied.volume(), copied.name().value());
                yield "snapshots or clones: it is gone";
            }
        };
        mine.merge(what, 1L, Long::sum);
    }

    /** Where the journal is broken, and what is given up, as far as it can still be read. */
    public List<Finding> findings() throws IOException {
        List<Finding> findings = new ArrayList<>();
        findings.add(new Finding(Kind.DAMAGE, Journal.FOLDER, scan.damage()));
        findings.add(new Finding(
                Kind.LOST,
                Journal.FOLDER,
                "all from record " + scan.number() + " on, as far as is known up to " + (scan.known() - 1) + "; "
                        + readable + " of these can still be read"));
        lost.forEach((volume, counts) -> {
            List<String> each = new ArrayList<>();
            counts.forEach((what, count) -> each.add(count + " " + what));
            findings.add(
                    new Finding(Kind.LOST, names.getOrDefault(volume, "volume " + volume), String.join(", ", each)));
        });
        return findings;
    }

    /**
     * Gives it up. Whoever ends in the middle of that leaves a journal that is as broken as before, or has done it.
     *
     * @return the files that have what was cut off
     * @throws IOException if that failed; with no room on the disk nothing is changed
     */
    public List<String> make() throws IOException {
        List<String> kept = keep();
        // Until all is done it is broken, also with no more segments behind it.
        try (JournalMark mark = new JournalMark(files.disk)) {
            mark.put(Math.max(scan.known(), scan.number() + 1));
            mark.force();
            for (long segment : scan.segments().tailMap(scan.end(), false).descendingKeySet()) {
                files.disk.delete(JournalScan.name(segment));
            }
            files.disk.forceNames();
            cutAndFence();
            mark.put(0); // nothing is known, until something is forced
            mark.force();
        }
        files.disk.forceNames();
        return kept;
    }

    private List<String> keep() throws IOException {
        List<String> there = files.disk.list(Journal.FOLDER);
        int cuts = 1;
        while (hasEnd(there, ".cut" + cuts)) {
            cuts++;
        }
        List<String> kept = new ArrayList<>();
        for (var each : scan.segments().tailMap(scan.end(), true).entrySet()) {
            kept.add(JournalScan.name(each.getKey()) + ".cut" + cuts);
            try {
                copy(each.getValue(), each.getKey() == scan.end() ? scan.tail() : 0, kept.getLast());
            } catch (NoSpaceException full) {
                for (String some : kept) {
                    files.disk.delete(some);
                }
                throw full;
            }
        }
        files.disk.forceNames();
        return kept;
    }

    private static boolean hasEnd(List<String> names, String end) {
        return names.stream().anyMatch(name -> name.endsWith(end));
    }

    /** From there on; what lies before is a hole, as is what cannot be read. */
    private void copy(DiskFile from, long begin, String to) throws IOException {
        try (DiskFile file = files.disk.open(to)) {
            for (long at = begin; at < from.size(); at += CHUNK) {
                ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(CHUNK, from.size() - at));
                var _ = Unread.reading(from, bytes, at);
                file.write(bytes.clear(), at);
            }
            file.force();
        }
    }

    /** Behind the last good record come those that let nobody go on who knows more. */
    private void cutAndFence() throws IOException {
        List<JournalRecord> fences = new ArrayList<>();
        catalogue.entries().forEach((volume, entry) -> {
            if (!entry.isSnapshot() && entry.epoch() != LAST_EPOCH) {
                fences.add(new Attached(volume, entry.epoch() + 1, 0));
            }
        });
        ByteBuffer bytes = ByteBuffer.allocate(
                fences.stream().mapToInt(JournalCodec::lengthBytes).sum());
        long number = scan.number();
        for (JournalRecord fence : fences) {
            JournalCodec.emit(number++, fence, bytes);
        }
        try (DiskFile file = files.disk.open(JournalScan.name(scan.end()))) {
            file.truncate(scan.tail());
            file.write(bytes.flip(), scan.tail());
            file.force();
        }
    }

    @Override
    public void close() throws IOException {
        for (DiskFile file : scan.segments().values()) {
            file.close();
        }
        files.close();
    }
}
