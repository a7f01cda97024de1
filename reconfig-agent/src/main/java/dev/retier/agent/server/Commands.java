package dev.retier.agent.server;

import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Fills and runs the commands of a server. Stateless. */
final class Commands {
    private Commands() {}

    /** Runs the checker on {@code config} with {@code staged}, and with {@code more} words after it. */
    static CommandRunner.Outcome check(ServerControl control, Path config, Path staged, List<String> more)
            throws InterruptedException {
        List<String> words = Stream.concat(control.commands().check().stream(), more.stream())
                .map(word -> word.replace(ServerControl.CONFIG, config.toString())
                        .replace(ServerControl.STAGED, staged.toString()))
                .toList();
        return CommandRunner.ask(words, control.limits().checkDeadline());
    }

    /** Whether the checker is told which file to read. */
    static boolean namesConfig(ServerControl control) {
        return control.commands().check().stream().anyMatch(word -> word.contains(ServerControl.CONFIG));
    }

    /** Runs the checker on what is there, with nothing staged, and with {@code more} words after it. */
    static CommandRunner.Outcome look(ServerControl control, List<String> more) throws InterruptedException {
        return look(control, control.commands().check(), more);
    }

    /** The same with nginx's own checker where the administrator's is not told which file to read. */
    static CommandRunner.Outcome lookOfNginx(ServerControl control, List<String> more) throws InterruptedException {
        List<String> own = ServerControl.Commands.usual(
                        ServerKind.NGINX, control.commands().program())
                .check();
        return look(control, namesConfig(control) ? control.commands().check() : own, more);
    }

    private static CommandRunner.Outcome look(ServerControl control, List<String> check, List<String> more)
            throws InterruptedException {
        List<String> words = Stream.concat(check.stream(), more.stream())
                .map(word -> word.replace(ServerControl.CONFIG, control.config().toString())
                        .replace("RETIER_STAGED", "RETIER_LOOK"))
                .toList();
        return CommandRunner.ask(words, control.limits().checkDeadline());
    }

    /** Whether a reload needs the process id of the server's parent. */
    static boolean reloadNeedsPid(ServerControl control) {
        return Stream.concat(control.commands().reload().stream(), control.commands().reloadIdle().stream())
                .anyMatch(word -> word.contains(ServerControl.PID));
    }

    /** Whether this user may send its signal to reload; true where the administrator has said another way. */
    static boolean maySignal(ServerKind kind, ServerControl control, long pid) throws InterruptedException {
        List<String> usual =
                ServerControl.Commands.usual(kind, control.commands().program()).reload();
        List<String> trial = List.of("/bin/sh", "-c", "kill -0 \"$0\"", String.valueOf(pid));
        return !control.commands().reload().equals(usual)
                || CommandRunner.run(trial, control.limits().checkDeadline()).isGood();
    }

    /**
     * Asks for a reload by that command, one of the two of {@code control}; no process but the {@code found} server is
     * ever named to it.
     */
    static CommandRunner.Outcome reload(ServerControl control, List<String> command, ServerProcess.Found found)
            throws InterruptedException {
        if (!reloadNeedsPid(control)) {
            return reload(control, command, "");
        }
        return switch (found) {
            case ServerProcess.Server(long pid) -> reload(control, command, String.valueOf(pid));
            case ServerProcess.Nothing(String why) -> new CommandRunner.Outcome(false, "", why);
            case ServerProcess.Stranger(String why) -> new CommandRunner.Outcome(false, "", why);
        };
    }

    private static CommandRunner.Outcome reload(ServerControl control, List<String> command, String pid)
            throws InterruptedException {
        List<String> words = command.stream()
                .map(word -> word.replace(ServerControl.PID, pid)
                        .replace(ServerControl.CONFIG, control.config().toString()))
                .toList();
        return CommandRunner.run(words, control.limits().checkDeadline());
    }

    /** Lets the server finish what it has and end; no process but the {@code found} server is ever named to it. */
    static CommandRunner.Outcome stop(ServerControl control, ServerProcess.Server found) throws InterruptedException {
        List<String> words = control.commands().stop().stream()
                .map(word -> word.replace(ServerControl.PID, String.valueOf(found.pid()))
                        .replace(ServerControl.CONFIG, control.config().toString()))
                .toList();
        return CommandRunner.run(words, control.limits().startDeadline());
    }

    /** Starts the server again; the command may take so long. */
    static CommandRunner.Outcome restart(ServerControl control, Duration deadline) throws InterruptedException {
        List<String> words = control.commands().restart();
        return words.isEmpty()
                ? new CommandRunner.Outcome(false, "", "no restart command is configured; start the server")
                : CommandRunner.run(
                        words.stream()
                                .map(word -> word.replace(
                                        ServerControl.CONFIG, control.config().toString()))
                                .toList(),
                        deadline);
    }
}
