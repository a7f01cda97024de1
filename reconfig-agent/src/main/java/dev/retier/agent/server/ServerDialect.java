package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.status.ServerPage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What each kind of real server does in its own way. Its methods may be called by two threads at a time. */
sealed interface ServerDialect extends AutoCloseable permits HttpdDialect, NginxDialect, HaproxyDialect, OtherDialect {
    /**
     * The newest status page, without the requests that the agent itself has made; where {@link #promptly} has asked
     * for one that is late, that one.
     *
     * @throws IOException when there is none in time, or it is none
     */
    ServerPage page(Duration timeout) throws IOException;

    /** Whether a page can be asked for at once, on a connection that stands; not while {@link #page} is under way. */
    default boolean isPrompt() {
        return false;
    }

    /**
     * The same, for who may not wait for long, once {@link #isPrompt}. Null when it has not come in time, and may
     * still: {@link #page} waits for it.
     *
     * @throws IOException when there will be none on this connection, which is closed
     */
    default @Nullable ServerPage promptly(Duration patience) throws IOException {
        throw new IllegalStateException("only who is prompt may be asked so");
    }

    /**
     * Takes members in, and then others out, at run time, and reads back that it is so.
     *
     * @throws IOException when it is not, with what was found
     */
    void changeMembers(Rendering rendering, Duration timeout) throws IOException;

    /**
     * Says in small files what a server reads with each request: the role and the stamp of the file that is on disk;
     * nothing for kinds that read none. It needs no server.
     *
     * @throws IOException when it cannot be written; what was there may be changed in part
     */
    default void writeFlags(Mark mark, String role) throws IOException {}

    /**
     * Whether the file by which a server reads its role with each request, if it reads one, is as {@link #writeFlags}
     * left it for that role.
     */
    default boolean isFlagged(String role) {
        return true;
    }

    /**
     * Has the server, which runs a file of that structure, show in its answers which one it is, and proves that it
     * does; nothing for kinds that show what they have loaded.
     *
     * @throws IOException when it does not, with what was found
     */
    default void show(Rendering rendering, Duration timeout) throws IOException {}

    /**
     * Lets kept connections go at run time, each after an answer; nothing for kinds that cannot.
     *
     * @throws IOException when the server does not take it, with what it said
     */
    default void letGo(LetGo letGo, Duration timeout) throws IOException {}

    /** Runs the server's own checker on the whole configuration with the staged file in place of the installed one. */
    CommandRunner.Outcome check(Path staged) throws InterruptedException;

    /** After a good check: why a reload now would end the server all the same, if it would. */
    Optional<String> reloadHazard();

    /** The command by which it is made to read its file now. */
    default List<String> reloadCommand(ServerConfig server) {
        return server.controlled().commands().reload();
    }

    /** Asks by which file it answers. */
    default EpochProbe probe(ServerConfig server) {
        return new EpochProbe(server.admin(), server.controlled().statusPath(), this::countOwnRequest);
    }

    /** Whether a file may be brought to it, if its process is there. */
    default boolean isReady() {
        return true;
    }

    /** How often a page is to be asked for, at most, while the server answers. */
    default long pageIntervalNanos() {
        return 0;
    }

    /** The host that a client asks for. */
    default String clientHost(ServerConfig server) {
        return server.address().toString();
    }

    /** Whether a client that gets that status is served by somebody. */
    default boolean isAnswer(int status) {
        return status > 0;
    }

    /** Gives back what looks keep open; nothing for kinds that keep nothing. */
    @Override
    default void close() {}

    /** Notes a request that the agent has made at the server, so that it does not count as a client's. */
    void countOwnRequest();
}
