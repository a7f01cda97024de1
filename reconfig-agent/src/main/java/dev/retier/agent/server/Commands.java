package dev.retier.agent.server;

import dev.retier.agent.config.ServerControl;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
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
        return CommandRunner.run(words, control.limits().checkDeadline());
    }

    /** Asks for a graceful reload of the server whose parent is {@code pid}. */
    static CommandRunner.Outcome reload(ServerControl control, OptionalLong pid) throws InterruptedException {
        boolean needsPid = control.commands().reload().stream().anyMatch(word -> word.contains(ServerControl.PID));
        if (needsPid && pid.isEmpty()) {
            return new CommandRunner.Outcome(false, "", control.pidFile() + " names no running process");
        }
        List<String> words = control.commands().reload().stream()
                .map(word -> word.replace(ServerControl.PID, String.valueOf(pid.orElse(0)))
                        .replace(ServerControl.CONFIG, control.config().toString()))
                .toList();
        return CommandRunner.run(words, control.limits().checkDeadline());
    }

    /** Starts the server again. */
    static CommandRunner.Outcome restart(ServerControl control) throws InterruptedException {
        List<String> words = control.commands().restart();
        return words.isEmpty()
                ? new CommandRunner.Outcome(false, "", "no restart command is configured; start the server")
                : CommandRunner.run(
                        words.stream()
                                .map(word -> word.replace(
                                        ServerControl.CONFIG, control.config().toString()))
                                .toList(),
                        control.limits().checkDeadline());
    }
}
