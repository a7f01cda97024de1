package dev.retier.system;

import dev.retier.system.RecordingDisk.Event;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Folders as a power cut may leave them after some of what a {@link RecordingDisk} has recorded: what was forced is
 * there; of the rest any sectors of 512 bytes are, in any order, and so are names.
 */
final class PowerCuts {
    private static final int SECTOR = 512;
    /** How much of what was not forced survives, in hundredths; each as often. */
    private static final int[] SURVIVAL = {0, 10, 50, 90, 100};

    private final List<Event> events;
    /** Has what was forced: one file for each, by number. */
    private final Path forced;

    /** By file: what changed it and was not forced, in order, with the number of the event. */
    private final Map<Integer, List<Change>> pending = new HashMap<>();

    private final Map<String, Integer> forcedNames = new HashMap<>();
    private final List<Naming> namings = new ArrayList<>();
    private int done;

    private record Change(int event, Event what) {}

    private record Naming(int event, String name, int file) {}

    private static final int NONE = 0;

    PowerCuts(List<Event> events, Path forced) throws IOException {
        this.events = events;
        this.forced = Files.createDirectories(forced);
    }

    /**
     * The folder after the first {@code cut} events and then a power cut.
     *
     * @param cut no less than at the call before
     */
    void leave(int cut, SplittableRandom random, Path folder) throws IOException {
        for (; done < cut; done++) {
            apply(done, events.get(done));
        }
        int survival = SURVIVAL[random.nextInt(SURVIVAL.length)];
        Map<String, Integer> found = new HashMap<>(forcedNames);
        for (Naming each : namings) {
            if (random.nextInt(100) < survival) {
                name(found, each);
            }
        }
        for (Map.Entry<String, Integer> each : found.entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Path content = forced.resolve(each.getValue().toString());
            if (Files.exists(content)) {
                Files.copy(content, file);
            } else {
                Files.createFile(file);
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (Change change : pending.getOrDefault(each.getValue(), List.of())) {
                    survive(channel, change.what, survival, random);
                }
            }
        }
    }

    private static void name(Map<String, Integer> names, Naming naming) {
        if (naming.file == NONE) {
            names.remove(naming.name);
        } else {
            names.put(naming.name, naming.file);
        }
    }

    private void apply(int number, Event event) throws IOException {
        switch (event) {
            case Event.Made made -> namings.add(new Naming(number, made.name(), made.file()));
            case Event.Deleted deleted -> namings.add(new Naming(number, deleted.name(), NONE));
            case Event.Written written -> changes(written.file()).add(new Change(number, written));
            case Event.Truncated truncated -> changes(truncated.file()).add(new Change(number, truncated));
            case Event.NamesForced all -> {
                namings.stream().filter(one -> one.event < all.before()).forEach(one -> name(forcedNames, one));
                namings.removeIf(one -> one.event < all.before());
            }
            case Event.Forced all -> force(all);
        }
    }

    private List<Change> changes(int file) {
        return pending.computeIfAbsent(file, _ -> new ArrayList<>());
    }

    private void force(Event.Forced all) throws IOException {
        List<Change> changes = changes(all.file());
        try (FileChannel channel = FileChannel.open(
                forced.resolve(String.valueOf(all.file())), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (Change change : changes) {
                if (change.event < all.before()) {
                    make(channel, change.what);
                }
            }
        }
        changes.removeIf(change -> change.event < all.before());
    }

    private static void make(FileChannel channel, Event what) throws IOException {
        if (what instanceof Event.Written written) {
            channel.write(written.data().duplicate(), written.offset());
        } else if (what instanceof Event.Truncated truncated) {
            channel.truncate(truncated.size());
        }
    }

    private static void survive(FileChannel channel, Event what, int survival, SplittableRandom random)
            throws IOException {
        if (what instanceof Event.Written written) {
            for (int at = 0; at < written.data().limit(); ) {
                int length = (int) Math.min(written.data().limit() - at, SECTOR - (written.offset() + at) % SECTOR);
                if (random.nextInt(100) < survival) {
                    channel.write(written.data().slice(at, length), written.offset() + at);
                }
                at += length;
            }
        } else if (random.nextInt(100) < survival) {
            make(channel, what);
        }
    }
}
