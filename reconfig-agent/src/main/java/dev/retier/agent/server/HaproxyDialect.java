package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Member;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.HaproxyServers;
import dev.retier.agent.status.HaproxyServers.Setting;
import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerPages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** HAProxy in master-worker mode, with a stats socket at level admin. */
final class HaproxyDialect implements ServerDialect {
    private final ServerControl control;
    private final HaproxySocket socket;
    private final OwnRequests ownRequests = new OwnRequests();

    /** Members in one command: HAProxy takes no longer one than its buffer, of 16 KiB unless tune.bufsize says more. */
    private static final int AT_ONCE = 50;

    HaproxyDialect(ServerConfig server) {
        this.control = server.controlled();
        this.socket = new HaproxySocket(Objects.requireNonNull(control.socket(), "a HAProxy has a stats socket"));
    }

    @Override
    public ServerPage page(Duration timeout) throws IOException {
        String info = socket.ask("show info", timeout);
        String stat = socket.ask("show stat", timeout);
        ServerPage page = ServerPages.haproxy(info, stat)
                .orElseThrow(() -> new IOException("the stats socket gives no figures of HAProxy"));
        return ownRequests.without(page);
    }

    @Override
    public void changeMembers(Rendering rendering, Duration timeout) throws IOException {
        List<Member> all = rendering.members();
        Map<String, Setting> now = members(rendering.pool(), timeout);
        List<String> changes = all.stream()
                .filter(member -> !isSet(now.get(member.name()), member, all))
                .sorted(Comparator.comparing(Member::isIn).reversed())
                .map(member -> change(rendering.pool() + "/" + member.name(), member, all))
                .toList();
        if (changes.isEmpty()) {
            return;
        }
        StringBuilder answer = new StringBuilder();
        for (int from = 0; from < changes.size(); from += AT_ONCE) {
            List<String> portion = changes.subList(from, Math.min(changes.size(), from + AT_ONCE));
            answer.append(socket.ask(String.join("; ", portion), timeout));
        }
        Map<String, Setting> then = members(rendering.pool(), timeout);
        for (Member member : all) {
            Setting setting = then.get(member.name()); // of its weight: a static algorithm takes none
            if (setting == null || setting.isIn() != member.isIn()) {
                throw new IOException("HAProxy did not change " + member.name() + ": "
                        + answer.toString().strip());
            }
        }
    }

    private static boolean isSet(@Nullable Setting setting, Member member, List<Member> all) {
        return new Setting(member.isIn(), member.of256(all)).equals(setting);
    }

    private static String change(String server, Member member, List<Member> all) {
        return "set server " + server + " weight " + member.of256(all) + "; set server " + server + " state "
                + (member.isIn() ? "ready" : "maint");
    }

    /** By the variables that its front end tells; 2.6 calls setting one experimental. */
    @Override
    public void show(Rendering rendering, Duration timeout) throws IOException {
        set(
                Stream.of(Rendering.EPOCH_VARIABLE, rendering.epochVariable())
                        .distinct()
                        .map(variable -> "proc." + variable + " str(" + rendering.mark() + ")")
                        .collect(Collectors.joining("; set var ")),
                timeout);
    }

    /** By two variables of the process, which the generated back end reads. */
    @Override
    public void letGo(LetGo letGo, Duration timeout) throws IOException {
        set(
                "proc.retier_let_go int(" + letGo.percent() + "); set var proc.retier_round int(" + letGo.round() + ")",
                timeout);
    }

    private void set(String variable, Duration timeout) throws IOException {
        String answer = socket.ask("experimental-mode on; set var " + variable, timeout);
        if (!answer.isBlank()) {
            throw new IOException("HAProxy does not set variables: " + answer.strip());
        }
    }

    /** What may be done by the stats socket: {@code user}, {@code operator} or {@code admin}. */
    String level(Duration timeout) throws IOException {
        return socket.ask("show cli level", timeout).strip();
    }

    /** By name, how each member of a back end is set. */
    Map<String, Setting> members(String pool, Duration timeout) throws IOException {
        return HaproxyServers.parse(socket.ask("show servers state " + pool, timeout));
    }

    @Override
    public CommandRunner.Outcome check(Path staged) throws InterruptedException {
        return Commands.check(control, control.config(), staged, List.of());
    }

    /** It keeps its old worker when the new one cannot start. */
    @Override
    public Optional<String> reloadHazard() {
        return Optional.empty();
    }

    @Override
    public void countOwnRequest() {
        ownRequests.add();
    }
}
