package dev.retier.agent.server;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.status.AcceptQueue;
import dev.retier.agent.status.CpuText;
import dev.retier.agent.status.ListeningSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a server, as Linux shows them: whether its parent lives and is the server, and the processor time
 * that it and its children have used. Not thread-safe.
 *
 * <p>An agent looks ten times a second, and each file of the kernel costs it some 40 us to open, read and close:
 * whether the process lives and what it has used is read each time, of files that stay open; all else once a second.
 */
final class ServerProcess implements AutoCloseable {
    /** After so long the pid file is read again, and a process looked at that was no server: it may listen by now. */
    private static final long AGAIN_NANOS = 1_000_000_000;

    private final MainProcess named;
    private final Optional<UnitProcess> unit;
    private final Processes processes;
    private final ServerProof proof;
    private final ProcessorAccount account;
    private final HelperAccounts helpers;
    private final AcceptQueue queue = new AcceptQueue(System.nanoTime());
    private final int port;
    private final Set<InetAddress> hosts;
    private Found seen = new Nothing("nobody has looked yet");
    private String seenStart = "";
    private long seenAtNanos;
    /** Of the process that was seen last. */
    private @Nullable HeldFile stat;

    private long statPid;

    ServerProcess(ServerConfig server) {
        this(server, Processes.OF_SYSTEM);
    }

    ServerProcess(ServerConfig server, Processes processes) {
        this.named = server.controlled().process();
        this.unit = named instanceof MainProcess.OfUnit(String name)
                ? Optional.of(new UnitProcess(name, processes))
                : Optional.empty();
        this.processes = processes;
        this.port = server.address().port();
        this.hosts = hosts(server.address().host());
        this.proof = new ServerProof(processes, server);
        this.account = new ProcessorAccount(processes);
        this.helpers = new HelperAccounts(server.controlled().alsoPidFiles(), processes);
    }

    /** What the pid file leads to. */
    sealed interface Found {}

    /** The server's parent, proven to be that. */
    record Server(long pid) implements Found {}

    /** No process. */
    record Nothing(String why) implements Found {}

    /** A process that is not the server and must get no signal; {@code why} tells the remedy too. */
    record Stranger(String why) implements Found {}

    /**
     * Looks at the process in the pid file now, or asks systemd and waits for it. Ask right before a signal: the number
     * may be another process's a moment later.
     */
    Found find() {
        unit.ifPresent(UnitProcess::ask);
        return look();
    }

    /** What systemd said a while ago is no matter any more: something has been done that changes it. */
    void lookAnew() {
        unit.ifPresent(UnitProcess::forget);
    }

    private Found look() {
        Optional<Long> named = named();
        if (named.isEmpty() || !processes.isAlive(named.get())) {
            String problem = unit.map(UnitProcess::problem).orElse("");
            return keep(
                    new Nothing(this.named + " names no running process" + (problem.isEmpty() ? "" : ": " + problem)),
                    "");
        }
        long pid = named.get();
        String start = start(pid);
        return keep(proof.objection(pid).<Found>map(Stranger::new).orElseGet(() -> new Server(pid)), start);
    }

    private Found keep(Found found, String start) {
        seen = found;
        seenStart = start;
        seenAtNanos = System.nanoTime();
        return found;
    }

    /**
     * The same, but a process that was proven stays so until it ends, and what systemd says is heard once it has said
     * it: cheap enough for every look at the load.
     */
    Found watch() {
        boolean isNew = System.nanoTime() - seenAtNanos < AGAIN_NANOS;
        boolean isKnown = switch (seen) {
            case Server(long pid) ->
                isNew || named().filter(named -> named == pid).isPresent();
            case Stranger _ -> isNew;
            case Nothing _ -> false;
        };
        if (!isKnown) {
            return look();
        }
        if (seen instanceof Server(long pid)) {
            String now = stat(pid);
            if (!Processes.isAlive(now) || !CpuText.start(now).equals(seenStart)) {
                return look();
            }
            seenAtNanos = isNew ? seenAtNanos : System.nanoTime();
        }
        return seen;
    }

    private String stat(long pid) {
        HeldFile held = stat;
        if (held == null || statPid != pid) {
            if (held != null) {
                held.close();
            }
            held = processes.hold(pid, "stat");
            stat = held;
            statPid = pid;
        }
        return held.read().orElse("");
    }

    private Optional<Long> named() {
        return switch (named) {
            case MainProcess.InFile(Path file) -> named(file);
            case MainProcess.OfUnit _ -> unit.flatMap(UnitProcess::pid);
        };
    }

    /** The process that the file names; without it the program is not running. */
    static Optional<Long> named(Path pidFile) {
        return Processes.read(pidFile)
                .map(text -> text.lines().findFirst().orElse("").strip())
                .filter(text -> text.matches("[1-9]\\d{0,9}"))
                .map(Long::valueOf);
    }

    /** When it was started, in ticks since the machine was: with its number, no two processes have the same. */
    private String start(long pid) {
        return processes.read(pid, "stat").map(CpuText::start).orElse("");
    }

    /**
     * Whether clients wait until the server takes them in, and did so at the look before.
     *
     * @param isLate whether the server has not answered in time, which tells that it is time to look
     * @param explained how many may wait without a client that waits for long: the agent's own connections, and as many
     *     as the server answers from one look to the next
     */
    boolean isFull(boolean isLate, long explained) {
        if (!(watch() instanceof Server(long parent))) {
            return false;
        }
        long nowNanos = System.nanoTime();
        if (queue.isDue(isLate, nowNanos)) {
            queue.looked(waiting(parent) - explained, nowNanos);
        }
        return queue.isFull();
    }

    /** The same as of the newest look at that. */
    boolean wasFull() {
        return queue.isFull();
    }

    /** Clients that the system has taken for the server, and the server has not. */
    private long waiting(long parent) {
        return processes.listening(parent).stream()
                .filter(socket -> socket.port() == port && socket.isAt(hosts))
                .mapToLong(ListeningSocket::waiting)
                .sum();
    }

    /**
     * How many connections clients have to it, taken by it or not, at its address, or at any where it listens at all of
     * them; each may be idle. 0 unless it is found.
     */
    long connections() {
        if (!(watch() instanceof Server(long parent))) {
            return 0;
        }
        boolean isAtAll =
                processes.listening(parent).stream().anyMatch(socket -> socket.port() == port && socket.isAtAll());
        return processes.connections(parent, port, isAtAll ? Set.of() : hosts);
    }

    private static Set<InetAddress> hosts(String name) {
        try {
            return Set.copyOf(List.of(InetAddress.getAllByName(name)));
        } catch (UnknownHostException e) {
            return Set.of();
        }
    }

    /**
     * Processor time used since some moment, also by what works for the server, and how much may be used; empty unless
     * the server is found.
     */
    Optional<ProcessorAccount.Usage> usage() {
        return watch() instanceof Server(long parent) && !account.isHidden(parent)
                ? Optional.of(helpers.with(account.usage(parent), account, parent))
                : Optional.empty();
    }

    /** Why {@link #usage} is empty, with the remedy. */
    String noUsage() {
        return switch (watch()) {
            case Server(long pid)
            when account.isHidden(pid) ->
                "process " + pid
                        + " is in a control group outside the agent's namespace of them; start the agent in the"
                        + " server's or the host's (containers: --cgroupns=host)";
            case Server _ -> "a process that has just begun";
            case Nothing(String why) -> why;
            case Stranger(String why) -> why;
        };
    }

    /** Gives back the files that looks keep open. */
    @Override
    public void close() {
        account.close();
        helpers.close();
        HeldFile held = stat;
        stat = null;
        if (held != null) {
            held.close();
        }
    }
}
