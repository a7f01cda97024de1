package dev.retier.agent.server;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.status.ListeningSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether a process is the server. A pid file outlives its server, and its number is given to the next process, so
 * nothing is signalled that does not hold a socket at which the server is reached or asked for its status, itself or by
 * a child of the same program.
 * Where an agent may not see another user's sockets, the name of the program has to do. Stateless.
 */
final class ServerProof {
    /** Linux keeps so much of a process's name. */
    private static final int NAME_LENGTH = 15;

    private final Processes processes;
    private final ServerControl control;
    private final Set<Integer> ports;
    private final Set<String> names = new TreeSet<>();

    ServerProof(Processes processes, ServerConfig server) {
        this.processes = processes;
        this.control = server.controlled();
        this.ports =
                new TreeSet<>(List.of(server.address().port(), server.admin().port()));
        names.addAll(server.kind().programs());
        String program = control.commands().program();
        if (!program.isEmpty()) {
            Path file = Path.of(program).getFileName();
            names.add(file == null ? program : file.toString());
        }
    }

    private enum Listening {
        YES,
        NO,
        HIDDEN
    }

    /** Why the process, which lives, is not the server, with the remedy; empty when it is. */
    Optional<String> objection(long pid) {
        return switch (listening(pid)) {
            case YES -> Optional.empty();
            case NO -> Optional.of(text(pid, "it listens at none of the ports " + ports + " of its addresses"));
            case HIDDEN -> hidden(pid);
        };
    }

    /** What systemd calls the main process of a unit is that. */
    private Optional<String> hidden(long pid) {
        if (control.process() instanceof MainProcess.OfUnit
                || names.stream().anyMatch(name -> isName(name, processes.name(pid)))) {
            return Optional.empty();
        }
        return Optional.of(text(
                pid,
                names.isEmpty()
                        ? "its sockets may not be seen, and nobody has said what its program is called"
                        : "its program is none of " + String.join(", ", names)));
    }

    private Listening listening(long pid) {
        Set<String> wanted = processes.listening(pid).stream()
                .filter(listener -> ports.contains(listener.port()))
                .map(ListeningSocket::inode)
                .collect(Collectors.toSet());
        Listening own = listening(List.of(pid), wanted);
        if (own == Listening.YES) {
            return own; // before its workers are looked for, among all processes of the machine
        }
        Listening workers = listening(workers(pid), wanted);
        return workers == Listening.NO ? own : workers;
    }

    /** Whether one of them holds one of the sockets. */
    private Listening listening(List<Long> pids, Set<String> wanted) {
        boolean isHidden = false;
        for (long pid : pids) {
            Optional<Set<String>> sockets = processes.sockets(pid);
            if (sockets.isPresent() && sockets.get().stream().anyMatch(wanted::contains)) {
                return Listening.YES;
            }
            isHidden |= sockets.isEmpty() && processes.isAlive(pid);
        }
        return isHidden ? Listening.HIDDEN : Listening.NO;
    }

    /**
     * Children of another program are not counted: whatever listens descends from the machine's first process. But all
     * that descend from the main process of a unit are of that unit, as when a script has started the server.
     */
    private List<Long> workers(long pid) {
        if (control.process() instanceof MainProcess.OfUnit) {
            return processes.tree(pid);
        }
        String name = processes.name(pid);
        return processes.children().getOrDefault(pid, List.of()).stream()
                .filter(child -> processes.name(child).equals(name))
                .toList();
    }

    private static boolean isName(String wanted, String found) {
        return found.equals(wanted) || (found.length() == NAME_LENGTH && wanted.startsWith(found));
    }

    private String text(long pid, String why) {
        String said = control.process() + " names process " + pid + " (" + processes.name(pid)
                + "), which is not the server: " + why;
        return switch (control.process()) {
            case MainProcess.InFile _ ->
                said + "; remove the file if the server is not running, else set pid-file to the one that it writes,"
                        + " and program, address and admin to its own";
            case MainProcess.OfUnit _ -> said + "; wait while it starts, else set unit and address to its own";
        };
    }
}
