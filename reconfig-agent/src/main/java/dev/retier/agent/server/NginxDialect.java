package dev.retier.agent.server;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.NginxConfig;
import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerPages;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** nginx, whose main file includes the generated one by its full path, with stub_status. */
final class NginxDialect implements ServerDialect {
    /** Pages are read ten times a second; the file changes when somebody edits it. */
    private static final long LIMIT_AGAIN_NANOS = 5_000_000_000L;

    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    private final ServerConfig server;
    private final ServerControl control;
    private final HttpFetch fetch;
    private final OwnRequests ownRequests = new OwnRequests();
    /** Touched by who asks for a page, one at a time. */
    private volatile Limit limit = new Limit(OptionalInt.empty(), System.nanoTime() - LIMIT_AGAIN_NANOS);

    /** How many connections it may have, as looked up at that time. */
    private record Limit(OptionalInt connections, long atNanos) {}

    NginxDialect(ServerConfig server) {
        this.server = server;
        this.control = server.controlled();
        this.fetch = new HttpFetch(server.admin());
    }

    @Override
    public ServerPage page(Duration timeout) throws IOException {
        if (fetch.isUnderWay()) {
            return read(fetch.finish(timeout));
        }
        ownRequests.add();
        return read(fetch.get(control.statusPath(), timeout));
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
        ownRequests.add();
        fetch.begin(control.statusPath());
        HttpFetch.Answer answer = fetch.await(patience);
        return answer == null ? null : read(answer);
    }

    /** The request for the page is in its counter already. */
    private ServerPage read(HttpFetch.Answer answer) throws IOException {
        ServerPage page = (answer.status() == 200
                        ? ServerPages.nginx(answer.body(), connections())
                        : Optional.<ServerPage>empty())
                .orElseThrow(() -> new IOException(control.statusPath() + " is no stub_status"));
        return ownRequests.without(page);
    }

    private OptionalInt connections() {
        Limit known = limit;
        if (System.nanoTime() - known.atNanos >= LIMIT_AGAIN_NANOS) {
            String main = Processes.read(control.config()).orElse("");
            String pid = Processes.read(control.pidFile()).orElse("").strip();
            String limits = pid.matches("\\d{1,10}")
                    ? Processes.read(Path.of("/proc", pid, "limits")).orElse("")
                    : "";
            // Those of the machine, as nginx counts them; the agent may have fewer.
            String online = Processes.read(ONLINE).orElse("");
            known = new Limit(NginxConfig.connections(main, limits, NginxConfig.processors(online)), System.nanoTime());
            limit = known;
        }
        return known.connections;
    }

    /** There is no such change: a file of other members has another structure. */
    @Override
    public void changeMembers(Rendering rendering, Duration timeout) {}

    /** Takes away the copies of processes that ended while they checked. */
    private void removeLeft(String name) {
        Pattern left = Pattern.compile(Pattern.quote(name) + "([0-9]{1,18})-[0-9]+");
        try (DirectoryStream<Path> beside = Files.newDirectoryStream(AtomicFile.parent(control.config()))) {
            for (Path path : beside) {
                Matcher copy = left.matcher(String.valueOf(path.getFileName()));
                if (copy.matches()
                        && ProcessHandle.of(Long.parseLong(copy.group(1))).isEmpty()) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // They harm nobody: another check may take them away.
        }
    }

    /**
     * nginx has no way to put one file in place of another while it checks, so it checks a copy of its main file in the
     * same directory, where relative names mean the same, that includes the staged file.
     */
    @Override
    public CommandRunner.Outcome check(Path staged) throws InterruptedException {
        if (!Commands.namesConfig(control)) {
            // The administrator's own, which reads no copy: then none is made, and its folder need not be written in.
            return Commands.check(control, control.config(), staged, List.of());
        }
        // A name of its own: who examines the server takes its copy away when it has done.
        String name = "." + control.config().getFileName() + ".retier-check-";
        Path copy = control.config()
                .resolveSibling(name + ProcessHandle.current().pid() + "-"
                        + Thread.currentThread().threadId());
        try {
            removeLeft(name);
            String main = OperatorText.read(control.config());
            String include = server.roleFile().toString();
            Matcher line = Pattern.compile("(?m)^([^#\\n]*\\binclude\\s+\"?)" + Pattern.quote(include) + "(\"?\\s*;)")
                    .matcher(main);
            if (!line.find()) {
                String why = " does not include " + include + "; write in its http block: include " + include + ";";
                return new CommandRunner.Outcome(false, "", control.config() + why);
            }
            String checked = line.replaceAll("$1" + Matcher.quoteReplacement(staged.toString()) + "$2");
            AtomicFile.write(copy, checked, control.config());
            try {
                return Commands.check(control, copy, staged, List.of()).naming(control.config(), copy);
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (IOException e) {
            return new CommandRunner.Outcome(false, "", "a copy of " + control.config() + " cannot be checked: " + e);
        }
    }

    /** It keeps its old workers when it cannot have what the new configuration asks for. */
    @Override
    public Optional<String> reloadHazard() {
        return Optional.empty();
    }

    @Override
    public void countOwnRequest() {
        ownRequests.add();
    }
}
