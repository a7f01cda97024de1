package dev.retier.bench.upgrade;

import dev.retier.bench.Launched;
import dev.retier.bench.Progress;
import dev.retier.bench.agent.AgentCell;
import dev.retier.bench.agent.AgentCell.Launch;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cell of agents of two versions, the first node a proxy, beside web-nodes of this one. Not thread-safe. */
final class MixedCell implements AutoCloseable {
    private static final long SEEN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_EVERY_NANOS = 200_000_000;
    private static final int MOST_ASKED = 5;

    private final AgentCell agents;
    private final List<Launch> launches;

    private MixedCell(AgentCell agents, List<Launch> launches) {
        this.agents = agents;
        this.launches = new ArrayList<>(launches);
    }

    /**
     * Starts one agent by each of {@code launches}, and waits for nothing.
     *
     * @param name of the folder of its files
     * @throws IOException when a file cannot be written or a process not be started
     */
    static MixedCell launch(String name, List<Launch> launches) throws IOException {
        return new MixedCell(
                AgentCell.launch(Launched.emptyWorkFolder("bench-upgrade/" + name), launches, 1, ""), launches);
    }

    /** Which versions, node by node. */
    static String versions(List<Launch> launches) {
        return launches.stream()
                .map(launch -> launch.equals(Launch.usual()) ? "new" : "old")
                .collect(Collectors.joining(" "));
    }

    /** Which versions run now. */
    String versions() {
        return versions(launches);
    }

    AgentCell agents() {
        return agents;
    }

    /** The numbers of its nodes. */
    List<Integer> ids() {
        return IntStream.rangeClosed(1, launches.size()).boxed().toList();
    }

    /** All but one. */
    List<Integer> idsBut(int id) {
        return ids().stream().filter(other -> other != id).toList();
    }

    /**
     * Ends the agent of a node as a service manager does, and starts one by {@code launch} in its place.
     *
     * @throws IOException when that fails
     */
    void replace(int id, Launch launch) throws IOException {
        launches.set(id - 1, launch);
        agents.replace(id, launch);
    }

    /** Waits until nobody is unknown to anybody; false when that takes too long. */
    boolean awaitSeen() {
        long beganNanos = System.nanoTime();
        while (!ids().stream().allMatch(id -> agents.unknownShare(id) == 0)) {
            if (System.nanoTime() - beganNanos > SEEN_WITHIN_NANOS) {
                return false;
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return true;
    }

    /** A witness that has just started gives no lock for one lease: it cannot know whether it had given one. */
    void awaitLease() {
        LockSupport.parkNanos(agents.cluster().timing().lease().toNanos());
    }

    /** Has a node moved to the proxies and back, asked for at the agent of node {@code by}; what came of it. */
    List<String> moveThereAndBack(int by, int moved) {
        return List.of(move(by, moved, "shop/proxy"), move(by, moved, "shop/app"));
    }

    private String move(int by, int moved, String to) {
        String asked = "node-" + by + " asked for node-" + moved + " to " + to + ": ";
        try {
            agents.move(by, moved, to);
            return asked + "done";
        } catch (IOException e) {
            return asked + e.getMessage();
        }
    }

    /** Reads of slots without an answer, as these agents count them since they began. */
    double missed(List<Integer> of) throws IOException {
        return metric(of, "retier_state_reads_missed_total");
    }

    /** Moves that were undone, of all nodes since their agents began. */
    double rolledBack() throws IOException {
        return metric(ids(), "result=\"rolled_back\"");
    }

    /** The sum over the agents of the metrics whose line has {@code part} in it, in letters of either case. */
    private double metric(List<Integer> of, String part) throws IOException {
        double sum = 0;
        for (int id : of) {
            sum += sum(scrape(id), part);
        }
        return sum;
    }

    /** Asks again on a machine that is too busy to answer at once. */
    private String scrape(int id) throws IOException {
        for (int asked = 1; asked < MOST_ASKED; asked++) {
            try {
                return agents.ask(id, "/metrics");
            } catch (SocketTimeoutException e) {
                Progress.tell("node-" + id + " does not tell its metrics in time; asking again");
            }
        }
        return agents.ask(id, "/metrics");
    }

    /** The sum of the metrics of a scrape whose line has {@code part} in it; former agents wrote labels in capitals. */
    static double sum(String scrape, String part) {
        return scrape.lines()
                .filter(line ->
                        !line.startsWith("#") && line.toLowerCase(Locale.ROOT).contains(part))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** What all agents have complained of. */
    Complaints complaints() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int id : ids()) {
            lines.addAll(Files.readAllLines(agents.log(id)));
        }
        return Complaints.of(lines);
    }

    @Override
    public void close() {
        agents.close();
    }
}
