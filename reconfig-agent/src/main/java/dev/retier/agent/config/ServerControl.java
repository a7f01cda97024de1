package dev.retier.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the agent checks, reloads and asks a server that does not follow its file by itself.
 *
 * @param config the operator's main configuration file, which includes the generated file; of {@link ServerKind#OTHER}
 *     the generated one
 * @param process where the process id of its parent is found
 * @param statusPath path of its status page at the admin address; empty where it has none, as only {@link
 *     ServerKind#OTHER} may
 * @param socket HAProxy's stats socket, null for other kinds
 * @param template an operator's template instead of the built-in one, null for the built-in one
 * @param commands what is run
 * @param limits how long and how often
 * @param alsoPidFiles of programs that work for the server and are none of its children, such as PHP-FPM: what they use
 *     of the processors is its load
 */
public record ServerControl(
        Path config,
        MainProcess process,
        String statusPath,
        @Nullable Path socket,
        @Nullable Path template,
        Commands commands,
        Limits limits,
        List<Path> alsoPidFiles) {
    /** Keeps its own copy of the list. */
    public ServerControl {
        alsoPidFiles = List.copyOf(alsoPidFiles);
    }

    /** In {@link Commands}: the operator's main configuration file. */
    public static final String CONFIG = "{config}";
    /** In {@link Commands}: the staged file. */
    public static final String STAGED = "{staged}";
    /** In {@link Commands}: the process id in the pid file. */
    public static final String PID = "{pid}";
    /** What the words of a command may contain in braces. */
    public static final List<String> PLACEHOLDERS = List.of(CONFIG, STAGED, PID);

    /**
     * Commands as lists of words, run without a shell.
     *
     * @param program the server's program: what its process is called
     * @param check succeeds when the whole configuration is good with the staged file in place of the installed one
     * @param reload asks the server for a graceful reload; empty for {@link ServerKind#OTHER} that is told nothing
     * @param restart starts the server when a reload has ended it, or {@code stop} has; empty when nobody may
     * @param stop lets the server finish what it has and end, while its node has nothing for it to do; empty to keep it
     *     running
     * @param reloadIdle asks it for one that may cut what is in flight, and is faster: once its page says that nothing
     *     is; empty to ask by {@code reload} always
     */
    public record Commands(
            String program,
            List<String> check,
            List<String> reload,
            List<String> restart,
            List<String> stop,
            List<String> reloadIdle) {
        /** Keeps its own copies of the lists. */
        public Commands {
            check = List.copyOf(check);
            reload = List.copyOf(reload);
            restart = List.copyOf(restart);
            stop = List.copyOf(stop);
            reloadIdle = List.copyOf(reloadIdle);
        }

        /** Of a server that is always reloaded by the same command. */
        public Commands(
                String program, List<String> check, List<String> reload, List<String> restart, List<String> stop) {
            this(program, check, reload, restart, stop, List.of());
        }

        /** Of a server that keeps running. */
        public Commands(String program, List<String> check, List<String> reload, List<String> restart) {
            this(program, check, reload, restart, List.of());
        }

        /** Whether the server runs only while there is something for it to do. */
        public boolean isStopped() {
            return !stop.isEmpty();
        }

        /** What suits a kind whose program is {@code program}. */
        public static Commands usual(ServerKind kind, String program) {
            List<String> check = switch (kind) {
                case HTTPD -> List.of(program, "-t", "-D", "RETIER_STAGED", "-f", CONFIG);
                case NGINX -> List.of(program, "-t", "-q", "-c", CONFIG);
                case HAPROXY -> List.of(program, "-c", "-f", CONFIG, "-f", STAGED);
                case WEB_NODE, OTHER -> List.of();
            };
            return new Commands(program, check, signal(kind), List.of());
        }

        /** By the shell's own kill: a machine need not have the program. */
        private static List<String> signal(ServerKind kind) {
            return switch (kind) {
                case HTTPD -> signal("USR1");
                case NGINX -> signal("HUP");
                case HAPROXY -> signal("USR2");
                case WEB_NODE, OTHER -> List.of();
            };
        }

        private static List<String> signal(String signal) {
            return List.of("/bin/sh", "-c", "kill -" + signal + " \"$0\"", PID);
        }
    }

    /**
     * Bounds.
     *
     * @param reloadInterval shortest time from the end of one reload to the next; going back to the last good file
     *     does not wait
     * @param checkDeadline how long the checker may take
     * @param convergeDeadline how long after a reload every fresh connection must be answered by the new file
     * @param startDeadline how long after it was stopped the server may take to answer again
     * @param requestsAtOnce how many requests it can have at once, where its own page does not tell; {@link #UNLIMITED}
     *     where that is not known
     */
    public record Limits(
            Duration reloadInterval,
            Duration checkDeadline,
            Duration convergeDeadline,
            Duration startDeadline,
            int requestsAtOnce) {
        /** Of a server of which nobody has said how many requests it can have at once. */
        public static final int UNLIMITED = 0;

        /** What the peers use for checks and convergence; a reload of httpd may stall for a second. */
        public static final Limits DEFAULTS =
                new Limits(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(5));

        /** With that time to start. */
        public Limits(
                Duration reloadInterval, Duration checkDeadline, Duration convergeDeadline, Duration startDeadline) {
            this(reloadInterval, checkDeadline, convergeDeadline, startDeadline, UNLIMITED);
        }

        /** With the usual time to start. */
        public Limits(Duration reloadInterval, Duration checkDeadline, Duration convergeDeadline) {
            this(reloadInterval, checkDeadline, convergeDeadline, Duration.ofSeconds(30));
        }

        /** The longest that a file may take from its offer until it is in force, with a server that runs. */
        public Duration longest() {
            return reloadInterval.plus(checkDeadline).plus(convergeDeadline);
        }
    }

    ServerControl with(Commands other) {
        return new ServerControl(config, process, statusPath, socket, template, other, limits, alsoPidFiles);
    }

    /** The file with the process id of the server's parent; asking one that systemd runs is a mistake of the caller. */
    public Path pidFile() {
        return switch (process) {
            case MainProcess.InFile(Path file) -> file;
            case MainProcess.OfUnit unit -> throw new IllegalStateException(unit + " has no pid file");
        };
    }

    /** The operator's template, if there is one. */
    public Optional<Path> ownTemplate() {
        return Optional.ofNullable(template);
    }
}
