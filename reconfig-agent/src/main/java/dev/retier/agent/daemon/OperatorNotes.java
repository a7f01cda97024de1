package dev.retier.agent.daemon;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.command.PauseWord;
import dev.retier.agent.view.ClusterView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What operators have told that outlives the agent: pauses. Kept in a file beside the journal. Changed by the control
 * loop alone; may be read from any thread.
 */
final class OperatorNotes {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final JsonMapper MAPPER = new JsonMapper();

    private final String name;
    private final Path file;
    private volatile PauseWord cluster;
    private volatile boolean isPausedHere;

    private OperatorNotes(String name, Path file, PauseWord cluster, boolean isPausedHere) {
        this.name = name;
        this.file = file;
        this.cluster = cluster;
        this.isPausedHere = isPausedHere;
    }

    /**
     * What the agent of that node has kept in {@code folder}.
     *
     * @throws ReconfigException when there is a file that cannot be read: deciding in spite of a pause would be worse
     */
    static OperatorNotes read(String name, Path folder) {
        Path file = folder.resolve("operator.json");
        try {
            if (!Files.exists(file)) {
                return new OperatorNotes(name, file, PauseWord.NONE, false);
            }
            JsonNode kept = MAPPER.readTree(Files.readString(file));
            return new OperatorNotes(
                    name,
                    file,
                    PauseWord.decode(kept.required("pause_word").intValue()),
                    kept.required("paused_here").booleanValue());
        } catch (IOException | JacksonException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    file + ": what operators have told cannot be read; remove it to start with nothing paused",
                    e);
        }
    }

    /** Whether this agent is to decide nothing. */
    boolean isPaused() {
        return isPausedHere || cluster.isPaused();
    }

    boolean isClusterPaused() {
        return cluster.isPaused();
    }

    boolean isPausedHere() {
        return isPausedHere;
    }

    /** What the node publishes. */
    int word() {
        return cluster.encode();
    }

    /** Where the pause is, for people. */
    String scope() {
        return cluster.isPaused() ? "the cluster" : isPausedHere ? "this agent" : "nothing";
    }

    /**
     * Begins or ends a pause of the cluster.
     *
     * @throws IOException when it cannot be kept; nothing has changed then
     */
    void pauseCluster(boolean pause) throws IOException {
        if (cluster.isPaused() != pause) {
            keep(cluster.next(pause), isPausedHere);
        }
    }

    /**
     * Begins or ends a pause of this agent.
     *
     * @throws IOException when it cannot be kept; nothing has changed then
     */
    void pauseHere(boolean pause) throws IOException {
        keep(cluster, pause);
    }

    /** Takes over what others know better. */
    void heard(ClusterView view) {
        PauseWord newest = view.known()
                .map(node -> PauseWord.decode(node.load().operatorWord()))
                .reduce(cluster, PauseWord::merge);
        if (newest.equals(cluster)) {
            return;
        }
        if (newest.isPaused() != cluster.isPaused()) {
            LOG.info("{}: an operator has {} decisions of the cluster", name, newest.isPaused() ? "paused" : "resumed");
        }
        try {
            keep(newest, isPausedHere);
        } catch (IOException e) {
            LOG.error("{}: a pause of the cluster cannot be kept over a restart: {}", name, e.toString());
            cluster = newest;
        }
    }

    private void keep(PauseWord word, boolean here) throws IOException {
        String text = MAPPER.createObjectNode()
                .put("pause_word", word.encode())
                .put("paused_here", here)
                .toString();
        AtomicFile.replace(file, text + "\n");
        cluster = word;
        isPausedHere = here;
    }
}
