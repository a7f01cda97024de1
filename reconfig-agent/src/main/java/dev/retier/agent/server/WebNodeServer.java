package dev.retier.agent.server;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.status.StatusParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A web-node: it follows its file by itself, and tells what it has taken. */
final class WebNodeServer implements ManagedServer {
    /** The web-node looks at its file every 10 ms; asking more often than this shows nothing sooner. */
    private static final long CLOSEST_INTERVAL_NANOS = 4_000_000;

    private final Path file;
    private final HttpFetch fetch;
    private final long foundStamp;
    /** Touched by the thread that observes alone. */
    private @Nullable ServerStatus newest;

    WebNodeServer(ServerConfig server) {
        this.file = server.roleFile();
        this.fetch = new HttpFetch(server.admin());
        this.foundStamp = stamp(file);
    }

    /** Of a file of the agent before this one; 0 for none, or one that is no file of an agent: writing it says why. */
    private static long stamp(Path file) {
        try {
            return JsonMapper.shared()
                    .readTree(Files.readString(file))
                    .path("epoch")
                    .asLong(0);
        } catch (IOException | JacksonException e) {
            return 0;
        }
    }

    /** It follows its file by itself. */
    @Override
    public boolean tellsOfFiles() {
        return false;
    }

    @Override
    public long closestIntervalNanos() {
        return CLOSEST_INTERVAL_NANOS;
    }

    @Override
    public Observation observe(Duration timeout) {
        long askedAtNanos = System.nanoTime();
        try {
            HttpFetch.Answer answer = fetch.get("/status", timeout);
            return answer.status() != 200
                    ? new Observation.Silent("/status answers " + answer.status())
                    : StatusParser.parse(answer.body())
                            .map(status -> judged(status, askedAtNanos))
                            .orElseGet(() -> new Observation.Silent("/status is no status of a web-node"));
        } catch (IOException e) {
            return new Observation.Silent("/status: " + e);
        }
    }

    /** A page that stands still tells of neither load nor files. */
    private Observation judged(ServerStatus status, long askedAtNanos) {
        boolean isRepeated = status.repeats(newest);
        newest = status;
        return isRepeated
                ? new Observation.Mute("/status says the same again")
                : new Observation.Whole(status, askedAtNanos, System.nanoTime() - askedAtNanos);
    }

    @Override
    public void install(Rendering rendering) throws IOException {
        AtomicFile.replace(file, rendering.content());
    }

    /** That of the file that was there first: of those that came after it the web-node itself tells. */
    @Override
    public long installedStamp() {
        return foundStamp;
    }

    @Override
    public void close() {
        fetch.close();
    }
}
