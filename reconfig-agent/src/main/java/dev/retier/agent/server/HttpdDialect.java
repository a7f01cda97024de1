package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.render.BuiltInTemplates;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Member;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.RoleFlags;
import dev.retier.agent.status.BalancerPage;
import dev.retier.agent.status.HttpdConfig;
import dev.retier.agent.status.ListeningSocket;
import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerPages;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Apache httpd 2.4 with the generated file before and in its virtual hosts. Which role it has it reads with each
 * request.
 */
final class HttpdDialect implements ServerDialect {
    static final String BALANCER_PATH = "/.retier/balancer";

    static final List<String> DUMPS =
            List.of("-D", "DUMP_INCLUDES", "-D", "DUMP_MODULES", "-D", "DUMP_RUN_CFG", "-D", "DUMP_VHOSTS");

    private static final int HTTP_PORT = 80;

    private final ServerConfig server;
    private final ServerControl control;
    private final HostPort admin;
    private final HttpFetch fetch;
    private final String pagePath;
    private final RoleFlags flags;
    private final OwnRequests ownRequests = new OwnRequests();
    /** As the installer's thread has read it last. */
    private volatile @Nullable BalancerPage newest;
    /** Whether it was seen to read its flags as they are. */
    private volatile boolean isProven;

    private volatile String runningMpm = "";
    private volatile String dump = "";

    HttpdDialect(ServerConfig server) {
        this.server = server;
        this.control = server.controlled();
        this.admin = server.admin();
        this.fetch = new HttpFetch(admin);
        this.flags = new RoleFlags(server.roleFile());
        this.pagePath = control.statusPath() + "?auto";
    }

    @Override
    public ServerPage page(Duration timeout) throws IOException {
        return read(fetch.isUnderWay() ? fetch.finish(timeout) : fetch.get(pagePath, timeout));
    }

    @Override
    public void close() {
        fetch.close();
    }

    @Override
    public boolean isPrompt() {
        return fetch.isOpen();
    }

    @Override
    public @Nullable ServerPage promptly(Duration patience) throws IOException {
        fetch.begin(pagePath);
        HttpFetch.Answer answer = fetch.await(patience);
        return answer == null ? null : read(answer);
    }

    /** The request for the page is counted once it has ended. */
    private ServerPage read(HttpFetch.Answer answer) throws IOException {
        ServerPage page = (answer.status() == 200 ? ServerPages.httpd(answer.body()) : Optional.<ServerPage>empty())
                .orElseThrow(() ->
                        new IOException(pagePath + " answers " + answer.status() + ", and no page of mod_status"));
        runningMpm = page.program();
        ServerPage others = ownRequests.without(page);
        ownRequests.add();
        return others;
    }

    /**
     * The page of the last change has the nonce, by which a change is made at once. Where httpd was started again, it
     * is another one, and what did not come about is changed by the new page. Who is no proxy keeps the members that it
     * has: a request that it has begun to forward may have chosen none yet, and it gets others before it is one again.
     */
    @Override
    public void changeMembers(Rendering rendering, Duration timeout) throws IOException {
        if (rendering.members().isEmpty() || !rendering.role().equals(RoleFlags.PROXY)) {
            return;
        }
        try (HttpFetch connection = new HttpFetch(admin)) {
            BalancerPage before = newest;
            if (before == null || different(before, rendering).isEmpty()) {
                before = balancer(connection, rendering.pool(), timeout);
            }
            BalancerPage after = set(connection, before, rendering, timeout);
            newest = different(after, rendering).isEmpty() ? after : set(connection, after, rendering, timeout);
            confirm(newest, rendering);
        }
    }

    /** Those that are set otherwise, first those that are to be in: at no time are all out. */
    private static List<Member> different(BalancerPage page, Rendering rendering) {
        return rendering.members().stream()
                .filter(member -> !isSet(page.members().get(url(member)), member))
                .sorted(Comparator.comparing(Member::isIn).reversed())
                .toList();
    }

    private static boolean isSet(BalancerPage.@Nullable Setting setting, Member member) {
        return setting != null
                && setting.isIn() == member.isIn()
                && (member.weight() == Member.UNKNOWN || setting.hundredths() == member.weight());
    }

    /** The page after that; the same one where nothing is to be set. */
    private BalancerPage set(HttpFetch connection, BalancerPage before, Rendering rendering, Duration timeout)
            throws IOException {
        BalancerPage after = before;
        for (Member member : different(before, rendering)) {
            after = set(connection, before.nonce(), rendering.pool(), member, timeout);
        }
        return after;
    }

    /** The page of the balancer-manager; the connection is to the admin address. */
    BalancerPage balancer(HttpFetch connection, String pool, Duration timeout) throws IOException {
        ownRequests.add();
        // Without that httpd logs an error.
        return page(connection.getSaying(BALANCER_PATH, "Referer", connection.referer(BALANCER_PATH), timeout), pool);
    }

    private static BalancerPage page(HttpFetch.Answer answer, String pool) throws IOException {
        return BalancerPage.parse(answer.body(), pool)
                .orElseThrow(() ->
                        new IOException(BALANCER_PATH + " answers " + answer.status() + ", and no balancer " + pool));
    }

    /** The page of after the change, which is the answer to the form. */
    private BalancerPage set(HttpFetch connection, String nonce, String pool, Member member, Duration timeout)
            throws IOException {
        ownRequests.add();
        String form = "w=" + URLEncoder.encode(url(member), StandardCharsets.US_ASCII) + "&b=" + pool + "&nonce="
                + nonce + "&w_status_D=" + (member.isIn() ? 0 : 1)
                + (member.weight() == Member.UNKNOWN ? "" : "&w_lf=" + member.weight() / (double) Member.LEAST);
        return page(connection.postForm(BALANCER_PATH, form, timeout), pool);
    }

    @Override
    public void writeFlags(Mark mark, String role) throws IOException {
        if (FlagFiles.set(flags.proxy(), role.equals(RoleFlags.PROXY))) {
            isProven = false;
        }
        FlagFiles.write(flags.stamp(), String.valueOf(mark.stamp()));
    }

    @Override
    public boolean isFlagged(String role) {
        return Files.exists(flags.proxy()) == role.equals(RoleFlags.PROXY);
    }

    /**
     * Both halves of the header, of which it has read the one with this request and the other at its last reload. Where
     * the role is as it was, that the members have been read back says enough.
     */
    @Override
    public void show(Rendering rendering, Duration timeout) throws IOException {
        Mark mark = rendering.mark();
        if (isProven) {
            return;
        }
        ownRequests.add();
        try (HttpFetch connection = new HttpFetch(admin)) {
            String shown = connection
                    .get(control.statusPath() + "?auto", timeout)
                    .headers()
                    .get(EpochProbe.HEADER);
            if (!Mark.ofHeader(shown).equals(Optional.of(mark))) {
                throw new IOException("httpd answers by " + (shown == null ? "no file" : shown) + " and not by " + mark
                        + "; may its user (www-data) enter " + server.roleFile().getParent() + " and read there?");
            }
        }
        isProven = true;
    }

    @Override
    public void letGo(LetGo letGo, Duration timeout) throws IOException {
        Set<Path> wanted = flags.letGoParts(letGo);
        for (Path part : flags.letGoParts()) {
            var _ = FlagFiles.set(part, wanted.contains(part));
        }
        var _ = FlagFiles.set(flags.letGo(), letGo.isAny());
    }

    /** As httpd names a member, whatever its file says: it drops the port of HTTP. */
    static String url(Member member) {
        String url = "http://" + member.address();
        return member.address().port() == HTTP_PORT ? url.substring(0, url.lastIndexOf(':')) : url;
    }

    /** It answers 200 also when it has changed nothing. */
    private static void confirm(BalancerPage after, Rendering rendering) throws IOException {
        List<Member> left = different(after, rendering);
        if (!left.isEmpty()) {
            throw new IOException(
                    "the balancer-manager did not change " + left.getFirst().name());
        }
    }

    /**
     * What the whole configuration consists of is asked for in the same run. It reads the staged file by way of the one
     * that is in place; where there is none yet, one is put there for the time of the check that says nothing else.
     */
    @Override
    public CommandRunner.Outcome check(Path staged) throws InterruptedException {
        Path file = server.roleFile();
        if (Files.exists(file)) {
            return checked(staged);
        }
        try (StagedCopy _ = new StagedCopy(file, BuiltInTemplates.httpdWay(staged))) {
            return checked(staged);
        } catch (FileAlreadyExistsException e) {
            return checked(staged); // an agent that starts has just written its own
        } catch (IOException e) {
            return new CommandRunner.Outcome(false, "", file + " cannot be written: " + e);
        }
    }

    private CommandRunner.Outcome checked(Path staged) throws InterruptedException {
        CommandRunner.Outcome outcome = Commands.check(control, control.config(), staged, DUMPS);
        dump = outcome.output();
        return outcome;
    }

    /**
     * What ends httpd's parent although the checker is content: a Listen at a port that somebody else has, or another
     * MPM. Both come from files that are not the agent's, changed since httpd was started.
     */
    @Override
    public Optional<String> reloadHazard() {
        String mpm = HttpdConfig.mpm(dump);
        if (!runningMpm.isEmpty() && !mpm.isEmpty() && !mpm.equals(runningMpm)) {
            return Optional.of("the MPM on disk is " + mpm + " and httpd runs " + runningMpm
                    + ": a reload would end it; restart httpd, or put the MPM back");
        }
        return foreignPort(dump);
    }

    /** What the last check has said of the whole configuration. */
    String dump() {
        return dump;
    }

    private Optional<String> foreignPort(String dumped) {
        if (!(new ServerProcess(server).find() instanceof ServerProcess.Server(long pid))) {
            return Optional.empty();
        }
        Set<Integer> foreign = foreignPorts(pid);
        // Of a file that the checker has just read and the agent may not, nothing is known.
        return HttpdConfig.files(dumped).stream()
                .flatMap(file -> HttpdConfig.ports(Processes.read(Path.of(file)).orElse(""), dumped).stream()
                        .filter(foreign::contains)
                        .map(port -> "Listen " + port + " in " + file + ": another program has that port, and a reload"
                                + " would end httpd; free the port, or take the line out"))
                .findFirst();
    }

    /** The ports that are listened at, but not by httpd's parent; none when its files may not be looked at. */
    private static Set<Integer> foreignPorts(long pid) {
        Optional<Set<String>> own = Processes.OF_SYSTEM.sockets(pid);
        if (own.isEmpty()) {
            return Set.of();
        }
        Set<Integer> foreign = new HashSet<>();
        Set<Integer> ours = new HashSet<>();
        for (ListeningSocket listener : Processes.OF_SYSTEM.listening(pid)) {
            (own.get().contains(listener.inode()) ? ours : foreign).add(listener.port());
        }
        foreign.removeAll(ours);
        return foreign;
    }

    @Override
    public void countOwnRequest() {
        ownRequests.add();
    }
}
