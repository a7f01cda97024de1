package dev.retier.agent;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigChange;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.daemon.AgentDaemon;
import dev.retier.agent.daemon.FirstRoleFile;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.journal.Journal;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.view.ClusterView;
import dev.retier.config.HostPort;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent beside its server. Thread-safe.
 *
 * <pre>{@code
 * RoleWord first = Agent.initialWord(config);      // what the journal, else the configuration, says
 * SharedState state = ...;                         // opened with that word in the own slot
 * try (Agent agent = Agent.start(config, state, AgentListener.NONE)) { ... }
 * state.close();
 * }</pre>
 */
public final class Agent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private final AgentDaemon daemon;

    private Agent(AgentDaemon daemon) {
        this.daemon = daemon;
    }

    /**
     * The role word with which the slot of this node is to be opened: what its journal says, so that a role and an
     * unfinished move survive a restart; without a journal, the configured role in epoch 0.
     *
     * @throws ReconfigException when the journal cannot be read
     */
    public static RoleWord initialWord(AgentConfig config) {
        return Recovery.initialWord(
                Journal.read(config.journalDirectory()), config.node().initialRole());
    }

    /**
     * Writes the first role file of this node unless there is one, so that its server can start; {@link #start} does
     * so too.
     *
     * @throws ReconfigException when it cannot be written
     */
    public static void writeFirstRoleFile(AgentConfig config) {
        FirstRoleFile.write(config, initialWord(config));
    }

    /**
     * The same for one of its servers.
     *
     * @throws ReconfigException when it cannot be written
     */
    public static void writeFirstRoleFile(AgentConfig config, ServerConfig server) {
        FirstRoleFile.write(config, server, initialWord(config));
    }

    /**
     * Starts an agent: it publishes, looks, decides and moves until it is closed.
     *
     * @param state the shared state, opened with {@link #initialWord}; it stays the caller's, to be closed after the
     *     agent
     * @param listener hears what happens, from the agent's threads
     * @throws ReconfigException when the journal or the role file cannot be used, or the admin address not listened at
     */
    public static Agent start(AgentConfig config, SharedState state, AgentListener listener) {
        config.cluster().warnings().forEach(warning -> LOG.warn(warning.text()));
        writeFirstRoleFile(config);
        return new Agent(AgentDaemon.start(config, state, listener));
    }

    /**
     * Takes over a new version of the cluster file while running. When a key has changed that needs a restart, nothing
     * changes at all.
     *
     * @return the keys that have changed; those of {@link ConfigChange#restart()} are why nothing was taken over
     */
    public ConfigChange reconfigure(ClusterConfig next) {
        return daemon.reconfigure(next);
    }

    /** The cluster as this agent sees it after its newest look. */
    public ClusterView view() {
        return daemon.view();
    }

    /** The newest targets of a site, by name; empty before any proxy of it was seen, and once the agent is closed. */
    public Optional<TargetList> targets(String site) {
        return daemon.targets(site);
    }

    /** Whether a quorum of nodes is known, the own server answers, and it runs the file that was rendered for it. */
    public boolean isReady() {
        return daemon.isReady();
    }

    /** What {@code /v1/status} serves: one JSON object. */
    public String statusJson() {
        return daemon.statusJson();
    }

    /** Where the admin API listens, with the port that the system chose if none was asked for. */
    public HostPort adminAddress() {
        return daemon.adminAddress();
    }

    /**
     * Waits until this agent is closed.
     *
     * @throws ReconfigException when one of its threads has ended for a mistake: it does nothing any more, and a new
     *     one should be started in its place
     */
    public void awaitEnd() throws InterruptedException {
        daemon.awaitEnd();
    }

    /**
     * Ends as one does of which a thread has ended: {@link #awaitEnd} throws. For whoever hears of the end of other
     * threads, as by {@link Thread#setDefaultUncaughtExceptionHandler}.
     */
    public void fail(Throwable why) {
        daemon.died(why);
    }

    /**
     * Finishes or undoes the own move, lets go of the move lock, publishes that it is leaving, and stops. The server
     * and its file stay as they are. Takes as long as a move may take, and no time when there is none. Idempotent.
     */
    @Override
    public void close() {
        daemon.close();
    }
}
