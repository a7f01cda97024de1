package dev.retier.cli.node;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.connect.SharedStates;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.journal.JournalLock;
import dev.retier.state.SharedState;
import java.time.Instant;

/**
 * An agent and the shared state under it, opened and closed together. Thread-safe.
 *
 * @param agent the agent
 * @param state its shared state
 * @param lock that it is the only agent of its node
 */
public record RunningAgent(Agent agent, SharedState state, JournalLock lock) implements AutoCloseable {
    /**
     * Opens the slot of the node with the role that its journal or its configuration says, and starts the agent.
     *
     * @param listener hears what the agent does, from its threads
     * @throws dev.retier.link.StateException when the secret cannot be read or the address cannot be used
     * @throws dev.retier.agent.ReconfigException when the journal or the admin address cannot be used, or another agent
     * of the node runs
     */
    public static RunningAgent start(AgentConfig config, AgentListener listener) {
        JournalLock lock = JournalLock.take(config.journalDirectory());
        try {
            return start(config, listener, lock);
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static RunningAgent start(AgentConfig config, AgentListener listener, JournalLock lock) {
        SharedState state = SharedStates.open(config, Instant.now());
        try {
            return new RunningAgent(Agent.start(config, state, listener), state, lock);
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
        lock.close();
    }
}
