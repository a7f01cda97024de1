package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.status.CpuText;
import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerPages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of which is known where it answers, whose process it is, and at most a page that counts its requests. That
 * it serves is proven by an answer at its prove path once a second; where nobody counts, what is in it are at most the
 * connections that clients have. One that is told nothing runs each file that the agent notes for it once it answers.
 */
final class OtherDialect implements ServerDialect {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** Who waits for it looks more often than its log should have lines. */
    private static final long READY_AGAIN_NANOS = 250_000_000;

    private static final int MOST_LOOKS = 10;
    private static final long LOOK_PAUSE_NANOS = 40_000_000;
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
        return look(process, timeout);
    }

    /** What is in it, by its own page, else at most by the connections that clients have. */
    private ServerPage look(ServerProcess looked, Duration timeout) throws IOException {
        long uptime = (System.nanoTime() - begunNanos) / SECOND_NANOS;
        return hasPage()
                ? told(uptime, timeout)
                : new ServerPage(
                        ServerPage.UNCOUNTED,
                        (int) Math.min(Integer.MAX_VALUE, looked.connections()),
                        0,
                        uptime,
                        "",
                        "");
    }

    /** As a client asks. */
    private void prove(Duration timeout) throws IOException {
        try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
            int status = fetch.get(server.provePath(), timeout).status();
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
            int status = fetch.get(server.provePath(), READY_TIMEOUT).status();
            return server.isTold() || isAnswer(status);
        } catch (IOException e) {
            // That is the answer to the question.
            return false;
        }
    }

    @Override
    public EpochProbe probe(ServerConfig asked) {
        return EpochProbe.ofSilent(server, host, this::markOnDisk);
    }

    private Optional<Mark> markOnDisk() {
        try {
            return Mark.ofFile(Files.readString(server.roleFile()));
        } catch (IOException e) {
            return Optional.empty();
        }
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

    /** A signal ends who does not catch it. */
    @Override
    public Optional<String> reloadHazard() {
        if (!server.isTold() || !control.commands().reload().isEmpty()) {
            return Optional.empty();
        }
        try (ServerProcess now = new ServerProcess(server)) {
            return now.find() instanceof ServerProcess.Server(long pid) ? uncaught(pid) : Optional.empty();
        }
    }

    private static Optional<String> uncaught(long pid) {
        String status = Processes.OF_SYSTEM.read(pid, "status").orElse("");
        String left = ReloadWay.SIGNALS.stream()
                .filter(signal -> !CpuText.catches(status, signal))
                .collect(Collectors.joining(" and "));
        return left.isEmpty()
                ? Optional.empty()
                : Optional.of("process " + pid + " does not catch " + left
                        + ", which would end it; write reload, the command by which it reads its file again");
    }

    @Override
    public ReloadWay reloadWay(ServerConfig asked) {
        if (!control.commands().reload().isEmpty()) {
            return ReloadWay.ofCommand(control);
        }
        ReloadWay way = ReloadWay.ofSignal(inFlight());
        LOG.info("{} is reloaded by {}", server.address(), way);
        return way;
    }

    /**
     * What is in it now. A question of the agent's own is in it for some milliseconds, so one look is not enough to see
     * that anything is; of one that cannot be asked something may be.
     */
    private long inFlight() {
        long seen = 1;
        try (ServerProcess now = new ServerProcess(server)) {
            for (int looks = 0; looks < MOST_LOOKS && seen > 0; looks++) {
                if (looks > 0) {
                    LockSupport.parkNanos(this, LOOK_PAUSE_NANOS);
                }
                seen = look(now, READY_TIMEOUT).inFlight();
            }
        } catch (IOException e) {
            return 1;
        }
        return seen;
    }

    @Override
    public void close() {
        process.close();
    }

    /** Nobody counts requests. */
    @Override
    public void countOwnRequest() {}
}
