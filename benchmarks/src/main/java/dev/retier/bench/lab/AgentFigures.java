package dev.retier.bench.lab;

import dev.retier.bench.ProcessFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the lab's agents take over a time. Found by their command lines, as they are not this process's own. */
final class AgentFigures {
    private static final String AGENT = " agent --config " + LabRuns.HOME + "/cluster.yaml --node ";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double PERCENT = 100;

    private final Map<String, Long> agents;
    private final Map<String, ProcessFigures> before;
    private final long beganNanos = System.nanoTime();

    private AgentFigures(Map<String, Long> agents) throws IOException {
        this.agents = agents;
        this.before = read(agents);
    }

    /**
     * One agent over the time.
     *
     * @param node its name
     * @param cpuPercent processor time, of one core
     * @param end what the kernel said of it then
     */
    record Cost(String node, double cpuPercent, ProcessFigures end) {}

    /** The time begins. */
    static AgentFigures begin() throws IOException {
        Map<String, Long> agents = new LinkedHashMap<>();
        ProcessHandle.allProcesses()
                .filter(process -> !node(process).isEmpty())
                .sorted(Comparator.comparing(AgentFigures::node))
                .forEach(process -> agents.put(node(process), process.pid()));
        if (agents.isEmpty()) {
            throw new IOException("no agent of the lab is running");
        }
        return new AgentFigures(agents);
    }

    private static String node(ProcessHandle process) {
        String line = process.info().commandLine().orElse("");
        int at = line.indexOf(AGENT);
        return at < 0 ? "" : line.substring(at + AGENT.length());
    }

    private static Map<String, ProcessFigures> read(Map<String, Long> agents) throws IOException {
        Map<String, ProcessFigures> figures = new LinkedHashMap<>();
        for (Map.Entry<String, Long> agent : agents.entrySet()) {
            figures.put(agent.getKey(), ProcessFigures.of(agent.getValue()));
        }
        return figures;
    }

    /** The time ends; by name of their nodes. */
    List<Cost> end() throws IOException {
        double elapsed = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
        List<Cost> costs = new ArrayList<>();
        read(agents).forEach((node, after) -> {
            ProcessFigures start = before.get(node);
            double spent = start == null ? 0 : after.cpuSeconds() - start.cpuSeconds();
            costs.add(new Cost(node, PERCENT * spent / elapsed, after));
        });
        return costs;
    }
}
