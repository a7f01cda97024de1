package dev.retier.bench.volumes;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import dev.retier.bench.Progress;
import dev.retier.bench.TestClasses;
import dev.retier.bench.volumes.Row.Beside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Row C4: H2, which uses files by channels of Java, on a volume's channel (wDSA), on a mounted volume (kDSA) and on the
 * local file system. Each turn is a process of its own. Stateless.
 *
 * @param mounted where a volume is mounted
 * @param local a folder of the local file system
 * @param time that counts of a turn; as much before it warms up
 */
record H2Rows(Store store, Path mounted, Path local, Duration time) {
    private static final String VOLUME = "h2";
    private static final long VOLUME_BYTES = 1L << 30;
    private static final String MODULE = "system-tests";
    private static final String MAIN = "dev.retier.system.H2Bank";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern PER_SECOND = Pattern.compile("tps = ([0-9.E]+)");

    /** Builds what has H2, and makes its volume. */
    static H2Rows begin(Store store, Path mounted, Path local, Duration time) throws IOException {
        Progress.tell("building what runs H2 ...");
        TestClasses.build(Launched.root(), List.of(MODULE), local.resolve("build.log"));
        store.create(VOLUME, VOLUME_BYTES);
        return new H2Rows(store, mounted, local, time);
    }

    /** The row. */
    List<Row> rows() {
        String[] server = store.address().split(":", 2);
        return List.of(new Row(
                "C4",
                "H2, TPC-B, 3 clients, on a volume's FileChannel (wDSA)",
                "transactions/s",
                true,
                () -> perSecond(
                        "volume", VOLUME, server[0], server[1], store.secret().toString()),
                List.of(
                        new Beside("on a mounted volume (kDSA)", 0, () -> onFile(mounted)),
                        new Beside("local file system", 0, () -> onFile(local)))));
    }

    private double onFile(Path folder) throws IOException {
        return perSecond("file", folder.resolve("h2").toString());
    }

    private double perSecond(String... where) throws IOException {
        List<String> command = new ArrayList<>(TestClasses.java(
                Launched.root(),
                MODULE,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC"));
        command.addAll(List.of(MAIN, Long.toString(time.toMillis())));
        command.addAll(List.of(where));
        Path log = local.resolve("h2.log");
        ChildProcess.run(command, local, log, LIMIT, _ -> {});
        String said = Files.readString(log);
        Matcher found = PER_SECOND.matcher(said);
        if (!found.find()) {
            throw new IOException("H2 tells no transactions per second: " + said);
        }
        return Double.parseDouble(found.group(1));
    }
}
