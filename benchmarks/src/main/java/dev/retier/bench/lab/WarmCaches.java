package dev.retier.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the proxies of one lab have cached, for all nodes of the labs after it: as where each node has been a proxy some
 * time before. Else every run would begin by filling caches, and roles that move would fill more of them. Used by one
 * thread.
 */
final class WarmCaches implements AutoCloseable {
    private static final String SECONDS_TO_FILL = "3s";

    /** For the record of a bench. */
    static final String SENTENCE =
            "Before each run the cache of every node is filled, as where it has been a proxy before.";

    private final Path kept;
    private boolean isFilled;

    WarmCaches() throws IOException {
        kept = Files.createTempDirectory("retier-caches");
    }

    /** Keeps what those of the lab that is up have, after requests for all static objects of each of {@code sites}. */
    void keep(List<List<String>> sites, int clients) throws IOException, InterruptedException {
        for (List<String> site : sites) {
            LabRuns.load(
                    site,
                    clients,
                    List.of("--make", "mix", "--mix", "0", "--requests", "10000000", "-d", SECONDS_TO_FILL));
        }
        for (Path cache : caches()) {
            copy(cache, kept);
        }
        isFilled = true;
    }

    /** Gives it to the nodes of the lab that has just come up; does nothing before {@link #keep}. */
    void fill() throws IOException, InterruptedException {
        if (isFilled) {
            for (Path cache : caches()) {
                copy(kept, cache);
            }
        }
    }

    private static List<Path> caches() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> folders = Files.list(LabRuns.HOME)) {
            folders.map(folder -> folder.resolve("cache"))
                    .filter(Files::isDirectory)
                    .forEach(found::add);
        }
        return found;
    }

    /** With owner and rights, which are those of the servers' workers. */
    private static void copy(Path from, Path to) throws IOException, InterruptedException {
        LabRuns.run(new ProcessBuilder("cp", "-a", from + "/.", to.toString()));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(kept)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
