package dev.retier.bench.agent;

import dev.retier.agent.config.NodeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The servers that the agents of a measured cell are beside. Not thread-safe. */
public interface NodeServers extends AutoCloseable {
    /** What they are. */
    enum Kind {
        /** In this process, with emulated capacity. */
        WEB_NODE,
        /** Apache httpd, each a parent with its children. */
        HTTPD;

        /** As the command line names it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Those of that kind. */
    static NodeServers of(Kind kind) throws IOException {
        return switch (kind) {
            case WEB_NODE -> new WebNodes();
            case HTTPD -> HttpdServers.prepare(text -> text);
        };
    }

    /** The file that the agent of a node writes for its server. */
    Path roleFile(Path folder, int id);

    /** Whether their status page has a port of its own. */
    boolean hasAdminPort();

    /** Lines of the section {@code server} of a node besides its addresses and the role file, with line breaks. */
    String lines(int id);

    /**
     * Makes what has to be there before the role file of a node is written.
     *
     * @throws IOException when that fails
     */
    default void makeFolder(int id) throws IOException {}

    /**
     * Starts the one of a node, whose role file is there.
     *
     * @throws IOException when that fails
     */
    void start(NodeConfig node) throws IOException;

    /** Ends whatever would outlive this process, for when that is being ended; any thread. */
    default void endProcesses() {}

    /** Ends all. */
    @Override
    void close();
}
