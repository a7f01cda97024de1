package dev.retier.bench.strangers;

import dev.retier.bench.Launched;
import dev.retier.bench.ProcessFigures;
import dev.retier.bench.agent.AgentCell;
import dev.retier.bench.agent.AgentCell.Launch;
import dev.retier.link.SecretSource;
import dev.retier.link.auth.ClusterSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Three members: the victim, one that stands, one that is restarted. Not thread-safe. */
final class Cell implements AutoCloseable {
    static final int VICTIM = 1;
    static final int STANDING = 2;
    static final int RESTARTED = 3;

    private static final int NODES = 3;
    private static final long LOOK_EVERY_NANOS = 20_000_000;
    private static final long UP_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Pattern STAMPED = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\S+Z ");
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AgentCell agents;

    private Cell(AgentCell agents) {
        this.agents = agents;
    }

    /**
     * Starts it and waits until all see each other.
     *
     * @param more lines of the cluster file
     * @param javaOptions of every agent
     * @throws IOException when it does not come up
     */
    static Cell start(String more, String javaOptions) throws IOException {
        Path folder = Launched.emptyWorkFolder("bench-strangers");
        Launch launch = new Launch(
                Launched.launcher(), javaOptions.isEmpty() ? Map.of() : Map.of("RETIER_JAVA_OPTIONS", javaOptions));
        Cell cell = new Cell(AgentCell.start(folder, Collections.nCopies(NODES, launch), 1, more));
        try {
            if (cell.unknownAfter(UP_WITHIN_NANOS) > 0) {
                throw new IOException("the members do not see each other");
            }
            return cell;
        } catch (IOException | RuntimeException e) {
            cell.close();
            throw e;
        }
    }

    AgentCell agents() {
        return agents;
    }

    /** The members' secret. */
    ClusterSecret secret() throws IOException {
        if (!(agents.cluster().secret() instanceof dev.retier.agent.config.SecretSource.InFile(var path))) {
            throw new IOException("the cell's secret is in no file");
        }
        return SecretSource.fromFile(path).secrets().first();
    }

    /** The largest share of nodes that a member does not know, once nobody misses any or the time is over. */
    private double unknownAfter(long patienceNanos) {
        long beganNanos = System.nanoTime();
        double unknown;
        do {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            unknown = Math.max(unknown(VICTIM), Math.max(unknown(STANDING), unknown(RESTARTED)));
        } while (unknown > 0 && System.nanoTime() - beganNanos < patienceNanos);
        return unknown;
    }

    /** The share of nodes that member {@code id} does not know; 1 when it does not say. */
    double unknown(int id) {
        return agents.unknownShare(id);
    }

    /** Whether member {@code id} reads the slot of node {@code of}. */
    private boolean knows(int id, int of) {
        try {
            for (JsonNode node : JSON.readTree(agents.ask(id, "/v1/status")).path("nodes")) {
                if (node.path("node").asString("").equals("node-" + of)) {
                    return node.path("reading").asString("").equals("known");
                }
            }
            return false;
        } catch (IOException e) {
            return false; // it is not up
        }
    }

    /** Looks of all standing members that had no answer, since they began. */
    double missed() throws IOException {
        double sum = 0;
        for (int id : List.of(VICTIM, STANDING, RESTARTED)) {
            sum += metric(agents.ask(id, "/metrics"), "retier_state_reads_missed_total");
        }
        return sum;
    }

    /** The value of a metric without labels in Prometheus' text; 0 when it is not there. */
    static double metric(String scrape, String name) {
        return scrape.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    double victimCpuSeconds() throws IOException {
        return ProcessFigures.cpuSeconds(agents.pid(VICTIM));
    }

    /** Lines that the victim has logged until now. */
    long victimLogLines() throws IOException {
        try (Stream<String> lines = Files.lines(agents.log(VICTIM))) {
            return lines.count();
        }
    }

    /** Lines that the victim has logged behind the first {@code skipped}, in the minute that has most of them. */
    long mostLinesInAMinute(long skipped) throws IOException {
        List<Instant> written;
        try (Stream<String> lines = Files.lines(agents.log(VICTIM))) {
            written = lines.skip(skipped)
                    .filter(line -> STAMPED.matcher(line).lookingAt())
                    .map(line -> Instant.parse(line.substring(0, line.indexOf(' '))))
                    .toList();
        }
        long most = 0;
        for (Instant first : written) {
            Instant end = first.plus(Duration.ofMinutes(1));
            most = Math.max(
                    most,
                    written.stream()
                            .filter(each -> !each.isBefore(first) && each.isBefore(end))
                            .count());
        }
        return most;
    }

    /** Leaves the victim ten descriptors more than it has open. */
    void limitDescriptors(int spare) throws IOException {
        long pid = agents.pid(VICTIM);
        int open = ProcessFigures.of(pid).descriptors();
        int limit = open + spare;
        Process prlimit = new ProcessBuilder(
                        "prlimit",
                        "--pid",
                        Long.toString(pid),
                        String.format(Locale.ROOT, "--nofile=%d:%d", limit, limit))
                .redirectErrorStream(true)
                .start();
        prlimit.getOutputStream().close();
        String said = new String(prlimit.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (prlimit.waitFor() != 0) {
                throw new IOException("prlimit: " + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * Restarts the third member and waits until it and the victim read each other's slot.
     *
     * @param patience from when its admin port answers
     * @return how long that took from when its admin port answered, negative when it did not happen in time
     */
    Duration restart(Duration patience) throws IOException {
        agents.restart(RESTARTED);
        long launchedNanos = System.nanoTime();
        while (!isUp()) {
            if (System.nanoTime() - launchedNanos > UP_WITHIN_NANOS) {
                throw new IOException(
                        "the agent of node-" + RESTARTED + " does not come up; see " + agents.log(RESTARTED));
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        long upNanos = System.nanoTime();
        while (!(knows(RESTARTED, VICTIM) && knows(VICTIM, RESTARTED))) {
            if (System.nanoTime() - upNanos > patience.toNanos()) {
                return Duration.ofNanos(-1);
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return Duration.ofNanos(System.nanoTime() - upNanos);
    }

    private boolean isUp() {
        try {
            return agents.ask(RESTARTED, "/livez").startsWith("ok");
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        agents.close();
    }
}
