package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.Member;
import dev.retier.agent.render.Rendering;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What a move needs of HAProxy: its stats socket at level admin, and all members. One use. */
final class HaproxyExamination {
    private final ServerExamination examination;
    private final HaproxyDialect dialect;

    HaproxyExamination(ServerExamination examination, HaproxyDialect dialect) {
        this.examination = examination;
        this.dialect = dialect;
    }

    void examine(Optional<Rendering> expected) {
        ServerConfig server = examination.server();
        Path socket = Objects.requireNonNull(server.controlled().socket(), "a HAProxy has a stats socket");
        String line = "stats socket " + socket + " mode 660 level admin";
        try {
            String level = dialect.level(ServerExamination.TIMEOUT);
            if (!level.equals("admin")) {
                examination.bad("status", socket + " is at level " + level, config(), "write: " + line);
                return;
            }
            var _ = dialect.page(ServerExamination.TIMEOUT);
            examination.good("status", "read at " + socket);
        } catch (IOException e) {
            examination.bad(
                    "status",
                    socket + ": " + ServerExamination.reason(e),
                    config(),
                    "write: " + line + ", and let " + ServerExamination.user() + " be of its group");
            return;
        }
        expected.ifPresent(this::members);
    }

    private String config() {
        return examination.server().controlled().config().toString();
    }

    private void members(Rendering expected) {
        try {
            Set<String> there =
                    dialect.members(expected.pool(), ServerExamination.TIMEOUT).keySet();
            List<String> missing = expected.members().stream()
                    .map(Member::name)
                    .filter(name -> !there.contains(name))
                    .toList();
            if (missing.isEmpty()) {
                examination.good("members", there.size() + " in " + expected.pool());
            } else {
                examination.bad(
                        "members",
                        expected.pool() + " lacks " + String.join(", ", missing),
                        config(),
                        "start HAProxy with a second -f " + examination.server().roleFile()
                                + "; with it there, reload once");
            }
        } catch (IOException e) {
            examination.bad(
                    "members",
                    ServerExamination.reason(e),
                    config(),
                    "start HAProxy with a second -f " + examination.server().roleFile());
        }
    }
}
