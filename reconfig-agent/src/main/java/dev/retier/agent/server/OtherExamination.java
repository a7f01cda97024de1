package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Whether a server of unknown kind answers for each host, and its commands can be run. One use. */
final class OtherExamination {
    private final ServerExamination examination;
    private final OtherDialect dialect;
    private final ServerConfig server;

    OtherExamination(ServerExamination examination, OtherDialect dialect) {
        this.examination = examination;
        this.dialect = dialect;
        this.server = examination.server();
    }

    void examine() {
        ServerControl.Commands commands = server.controlled().commands();
        command("restart", commands.restart());
        command("stop", commands.stop());
        command("reload", commands.reload());
        command("reload-idle", commands.reloadIdle());
        if (!server.controlled().statusPath().isEmpty()) {
            status();
        }
        proof();
    }

    /** What a shell is given to do is not known. */
    private void command(String key, List<String> words) {
        if (words.isEmpty()) {
            return;
        }
        String program = words.getFirst();
        if (isRunnable(program)) {
            examination.good("commands", key + ": " + program + " can be run");
        } else {
            examination.bad(
                    "commands",
                    ServerExamination.user() + " cannot run " + program,
                    examination.place("server." + key),
                    "install it, name it by its full path, or let " + ServerExamination.user() + " run it");
        }
    }

    private static boolean isRunnable(String program) {
        if (program.contains("/")) {
            return isProgram(Path.of(program));
        }
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> isProgram(Path.of(folder, program)));
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    private void status() {
        try {
            var _ = dialect.told(0, ServerExamination.TIMEOUT);
            examination.good("status", "read at " + server.admin());
        } catch (IOException e) {
            examination.bad(
                    "status",
                    ServerExamination.reason(e),
                    examination.place("server.status-path"),
                    "have it answer with JSON such as {\"in_flight\": 3}, or leave status-path out");
        }
    }

    /** As proxies ask, for each host of each site; once one is not answered at all, none will be. */
    private void proof() {
        for (String host : examination.hosts()) {
            String asked = server.address() + server.provePath() + " of host " + host;
            try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
                int status = fetch.probe(server.provePath(), ServerExamination.TIMEOUT)
                        .status();
                if (server.kind().isProof(status)) {
                    examination.good("proof", asked + " answers " + status);
                } else {
                    examination.bad(
                            "proof",
                            asked + " answers " + status + ", which proves nothing",
                            examination.place("server.prove-path"),
                            "name a path that its application answers with a status below 400 for each host of a site");
                }
            } catch (IOException e) {
                examination.bad(
                        "proof",
                        asked + ": " + ServerExamination.reason(e),
                        examination.place("server.address"),
                        "let the server listen there");
                return;
            }
        }
    }
}
