package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerPages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A server of which is known where it answers, whose process it is, and at most a page that counts its requests. That
 * it serves is proven by an answer at its prove path once a second; where nobody counts, what is in it are at most the
 * connections that clients have. One that is told nothing runs each file that the agent notes for it once it answers.
 */
final class OtherDialect implements ServerDialect {
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** Who waits for it looks more often than its log should have lines. */
    private static final long READY_AGAIN_NANOS = 250_000_000;

    private static final Duration READY_TIMEOUT = Duration.ofMillis(500);

    private final ServerConfig server;
    private final ServerControl control;
    private final String host;
    private final ServerProcess process;
    private final long begunNanos = System.nanoTime();
    /** Touched by who asks for a page: which process has answered a client's question when. */
    private long provenPid;

    private long provenAtNanos;
    /** Touched by who installs: when it was seen not to be ready. */
    private OptionalLong unreadyAtNanos = OptionalLong.empty();

    /** Asked for that host. */
    OtherDialect(ServerConfig server, String host) {
        this.server = server;
        this.control = server.controlled();
        this.host = host;
        this.process = new ServerProcess(server);
    }

    private boolean hasPage() {
        return !control.statusPath().isEmpty();
    }

    @Override
    public long pageIntervalNanos() {
        return hasPage() ? 0 : SECOND_NANOS;
    }

    @Override
    public ServerPage page(Duration timeout) throws IOException {
        if (!(process.watch() instanceof ServerProcess.Server(long pid))) {
            throw new IOException(process.noUsage());
        }
        long nowNanos = System.nanoTime();
        if (pid != provenPid || nowNanos - provenAtNanos >= SECOND_NANOS || !hasPage()) {
            prove(timeout);
            provenPid = pid;
            provenAtNanos = nowNanos;
        }
        return look(timeout);
    }

    /** What is in it, by its own page, else at most by the connections that clients have. */
    private ServerPage look(Duration timeout) throws IOException {
        long uptime = (System.nanoTime() - begunNanos) / SECOND_NANOS;
        return hasPage()
                ? told(uptime, timeout)
                : new ServerPage(
                        ServerPage.UNCOUNTED,
                        (int) Math.min(Integer.MAX_VALUE, process.connections()),
                        0,
                        uptime,
                        "",
                        "");
    }

    /** As a client asks. */
    private void prove(Duration timeout) throws IOException {
        try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
            int status = fetch.probe(server.provePath(), timeout).status();
            if (!isAnswer(status)) {
                throw new IOException(
                        server.address() + server.provePath() + " of host " + host + " answers " + status);
            }
        }
    }

    /** Its own page. */
    ServerPage told(long uptime, Duration timeout) throws IOException {
        try (HttpFetch fetch = new HttpFetch(server.admin(), host)) {
            HttpFetch.Answer answer = fetch.get(control.statusPath(), timeout);
            return (answer.status() == 200
                            ? ServerPages.other(answer.body(), control.limits().requestsAtOnce(), uptime)
                            : Optional.<ServerPage>empty())
                    .orElseThrow(() -> new IOException(server.admin() + control.statusPath() + " answers "
                            + answer.status() + ", and no JSON with in_flight as a whole number"));
        }
    }

    @Override
    public String clientHost(ServerConfig asked) {
        return host;
    }

    @Override
    public boolean isAnswer(int status) {
        return ServerKind.OTHER.isProof(status);
    }

    /** A signal that comes while it starts may end it; and who starts slowly does not count before it answers. */
    @Override
    public boolean isReady() {
        boolean isAskedSoon =
                unreadyAtNanos.isPresent() && System.nanoTime() - unreadyAtNanos.getAsLong() < READY_AGAIN_NANOS;
        boolean isReady = !isAskedSoon && isUp();
        unreadyAtNanos =
                isReady ? OptionalLong.empty() : isAskedSoon ? unreadyAtNanos : OptionalLong.of(System.nanoTime());
        return isReady;
    }

    private boolean isUp() {
        try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
            int status = fetch.probe(server.provePath(), READY_TIMEOUT).status();
            return server.isTold() || isAnswer(status);
        } catch (IOException e) {
            // That is the answer to the question.
            return false;
        }
    }

    @Override
    public EpochProbe probe(ServerConfig asked) {
        return EpochProbe.ofSilent(server, host, () -> MarkOnDisk.of(server.roleFile()));
    }

    /** It has no members. */
    @Override
    public void changeMembers(Rendering rendering, Duration timeout) {}

    /** Where the administrator has given no checker, there is none. */
    @Override
    public CommandRunner.Outcome check(Path staged) throws InterruptedException {
        return control.commands().check().isEmpty()
                ? new CommandRunner.Outcome(true, "", "there is no checker")
                : Commands.check(control, control.config(), staged, List.of());
    }

    /** What its own checker does not find, nobody knows. */
    @Override
    public Optional<String> reloadHazard() {
        return Optional.empty();
    }

    @Override
    public List<String> reloadCommand(ServerConfig asked) {
        ServerControl.Commands commands = control.commands();
        return commands.reloadIdle().isEmpty() || !isEmpty() ? commands.reload() : commands.reloadIdle();
    }

    /** Whether its page says that nothing is in flight; of one that cannot be read, something may be. */
    private boolean isEmpty() {
        try {
            return told(0, READY_TIMEOUT).inFlight() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.close();
    }

    /** Nobody counts requests. */
    @Override
    public void countOwnRequest() {}
}
