package dev.retier.agent.install;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ServerKind;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What the configuration of one kind of server lacks for its node. */
interface ServerPlan {
    /** Before each line that is put into a file of the operator's, as a comment of its own. */
    String MARK = "# By retier install:";

    /** With what a file of ours altogether begins. */
    String OWN = "# By retier install;";

    /** The first line of such a file, of a server of that kind. */
    static String head(ServerKind kind) {
        return OWN + " retier install " + kind.word() + " --remove takes it away.\n";
    }

    /**
     * All edits, in the order in which they are made. Changes nothing.
     *
     * @throws ReconfigException when there is nothing to go by; the message says what to do by hand
     */
    List<Edit> edits() throws InterruptedException;

    /**
     * Has the server's own checker read the whole, as it stands on disk, with the generated file.
     *
     * @throws IOException when it refuses that, with what it says
     */
    void verify() throws IOException, InterruptedException;

    /** What is to be done by hand, for people; nothing for kinds of which all is done. */
    default List<String> advice() {
        return List.of();
    }

    /**
     * A file of the operator's.
     *
     * @throws ReconfigException when it cannot be read, with the reason
     */
    static String text(Path file) {
        try {
            return OperatorBytes.read(file);
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL, file + " cannot be read: " + IoReason.of(e), e);
        }
    }
}
