package dev.retier.cli.node;

import dev.retier.agent.Agent;
import dev.retier.agent.apply.SoleWriter;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.connect.SharedStates;
import dev.retier.agent.event.AgentListener;
import dev.retier.state.SharedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent and the shared state under it, opened and closed together. Thread-safe.
 *
 * @param agent the agent
 * @param state its shared state
 * @param writers that it is the only agent of its node and of its servers
 */
public record RunningAgent(Agent agent, SharedState state, List<SoleWriter> writers) implements AutoCloseable {
    /**
     * Opens the slot of the node with the role that its journal or its configuration says, and starts the agent.
     *
     * @param listener hears what the agent does, from its threads
     * @throws dev.retier.link.StateException when the secret cannot be read or the address cannot be used
     * @throws dev.retier.agent.ReconfigException when the journal or the admin address cannot be used, or another agent
     * of the node or of its servers runs
     */
    public static RunningAgent start(AgentConfig config, AgentListener listener) {
        List<SoleWriter> writers = new ArrayList<>();
        try {
            writers.add(SoleWriter.ofJournal(config.journalDirectory()));
            for (ServerConfig server : config.node().servers()) {
                writers.add(SoleWriter.ofGenerated(server.roleFile()));
            }
            return start(config, listener, writers);
        } catch (RuntimeException e) {
            writers.forEach(SoleWriter::close);
            throw e;
        }
    }

    private static RunningAgent start(AgentConfig config, AgentListener listener, List<SoleWriter> writers) {
        SharedState state = SharedStates.open(config, Instant.now());
        try {
            return new RunningAgent(Agent.start(config, state, listener), state, List.copyOf(writers));
        } catch (RuntimeException e) {
            state.close();
            throw e;
        }
    }

    /** Ends the agent in good order, then leaves the shared state. The server goes on. Idempotent. */
    @Override
    public void close() {
        agent.close();
        state.close();
        writers.forEach(SoleWriter::close);
    }
}
