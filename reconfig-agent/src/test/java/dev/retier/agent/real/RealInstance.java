package dev.retier.agent.real;

import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.config.HostPort;
import dev.retier.state.Tier;
import dev.retier.testsupport.Daemons;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One real server with its own folder, ports and pid file, made of an example of conf/. Ended by its own pid. Its
 * generated file must be there before it is started.
 */
public final class RealInstance implements AutoCloseable {
    /** Where the test runs as root, the servers' workers run as somebody else and must get in. */
    private static final String OPEN_TO_ALL = "rwxr-xr-x";

    private static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    private final Path folder;
    private final ServerConfig server;
    private final List<String> startCommand;

    private RealInstance(Path folder, ServerConfig server, List<String> startCommand) {
        this.folder = folder;
        this.server = server;
        this.startCommand = startCommand;
    }

    /** What a test may change of an instance. */
    public record Options(
            ServerControl.@Nullable Commands commands,
            ServerControl.Limits limits,
            @Nullable Path template,
            String text,
            String host) {
        /** Nothing changed, but with no pause between reloads, and a document that says the folder's name. */
        public static final Options USUAL = new Options(
                null,
                new ServerControl.Limits(Duration.ZERO, Duration.ofSeconds(20), Duration.ofSeconds(8)),
                null,
                "hello",
                "127.0.0.1");

        /** With these commands. */
        public Options withCommands(ServerControl.Commands other) {
            return new Options(other, limits, template, text, host);
        }

        /** With a document that says this. */
        public Options withText(String other) {
            return new Options(commands, limits, template, other, host);
        }

        /** Reached at that address of loopback. */
        public Options withHost(String other) {
            return new Options(commands, limits, template, text, other);
        }

        /** With this template. */
        public Options withTemplate(Path other) {
            return new Options(commands, limits, other, text, host);
        }

        /** With these limits. */
        public Options withLimits(ServerControl.Limits other) {
            return new Options(commands, other, template, text, host);
        }
    }

    /** An httpd node. */
    public static RealInstance httpd(Path folder, Options options) {
        Path program = ExternalTool.find("apache2");
        HostPort address = Ports.free(options.host);
        HostPort admin = Ports.free(options.host);
        Path config = prepare(folder, "httpd/httpd.conf", text -> {
            String own = text.replace("Listen 127.0.0.1:8099", "Listen " + admin)
                    .replaceAll("(?m)^Listen 80$", "Listen " + address)
                    .replace("*:80", "*:" + address.port())
                    .replace("/run/retier-httpd", folder + "/run")
                    .replace("/var/log/retier-httpd", folder + "/log")
                    .replace("/srv/retier/www", folder + "/www")
                    .replace("/var/cache/retier-httpd", folder + "/cache")
                    .replace("/etc/mime.types", folder + "/mime.types")
                    .replace("/etc/retier/httpd", folder.toString());
            return IS_ROOT ? own : own.replaceAll("(?m)^(User|Group) .*\n", "");
        });
        writeDocuments(folder, options.text);
        ServerControl control = control(ServerKind.HTTPD, program, folder, config, options);
        ServerConfig server = new ServerConfig(
                ServerKind.HTTPD,
                address,
                admin,
                folder.resolve("retier.conf"),
                "/static/retier-proof",
                control,
                ServerKind.HTTPD.tiers());
        return new RealInstance(folder, server, List.of(program.toString(), "-f", config.toString(), "-k", "start"));
    }

    /** nginx from {@code edge.conf}, {@code proxy.conf}, or {@code node.conf}, which alone may be an app. */
    public static RealInstance nginx(Path folder, String example, Options options) {
        Path program = ExternalTool.find("nginx");
        HostPort address = Ports.free(options.host);
        HostPort admin = Ports.free(options.host);
        Path config = prepare(folder, "nginx/" + example, text -> {
            String own = text.replaceAll("listen (80|8000);", "listen " + address + ";")
                    .replace("127.0.0.1:8100", admin.toString())
                    .replace("/run/retier-nginx", folder + "/run")
                    .replace("/var/log/retier-nginx", folder + "/log")
                    .replace("/etc/retier/nginx", folder.toString())
                    .replace("/srv/retier/www", folder + "/www")
                    .replace("worker_processes auto", "worker_processes 2");
            return IS_ROOT ? own : own.replaceAll("(?m)^user .*\n", "");
        });
        writeDocuments(folder, options.text);
        ServerControl control = control(ServerKind.NGINX, program, folder, config, options);
        ServerConfig server = new ServerConfig(
                ServerKind.NGINX,
                address,
                admin,
                folder.resolve("retier.conf"),
                "/static/retier-proof",
                control,
                example.equals("node.conf") ? ServerKind.NGINX.tiers() : Set.of(Tier.PROXY));
        return new RealInstance(folder, server, List.of(program.toString(), "-c", config.toString()));
    }

    /** HAProxy from {@code edge.cfg} or {@code proxy.cfg}. */
    public static RealInstance haproxy(Path folder, String example, Options options) {
        return haproxy(folder, example, List.of("retier.cfg"), options);
    }

    /** The same with these generated files; its configuration is that of the first one. */
    public static RealInstance haproxy(Path folder, String example, List<String> files, Options options) {
        Path program = ExternalTool.find("haproxy");
        HostPort address = Ports.free(options.host);
        Path config = prepare(
                folder,
                "haproxy/" + example,
                text -> text.replaceAll("bind :(8000|80)", "bind " + address)
                        .replace("/run/retier-haproxy", folder + "/run")
                        .replace("/etc/retier/haproxy", folder.toString()));
        ServerControl control = control(ServerKind.HAPROXY, program, folder, config, options);
        ServerConfig server = new ServerConfig(
                ServerKind.HAPROXY,
                address,
                address,
                folder.resolve(files.getFirst()),
                "/static/retier-proof",
                control,
                ServerKind.HAPROXY.tiers());
        Stream<String> command = Stream.of(program.toString(), "-W", "-D", "-p", control.pidFile() + "", "-f");
        return new RealInstance(
                folder,
                server,
                Stream.concat(
                                Stream.concat(command, Stream.of(config.toString())),
                                files.stream().flatMap(file -> Stream.of("-f", folder.resolve(file) + "")))
                        .toList());
    }

    /** A server of any kind that is set up in that folder, and started so. */
    public static RealInstance of(Path folder, ServerConfig server, List<String> startCommand) {
        return new RealInstance(folder, server, startCommand);
    }

    private interface Edit {
        String apply(String text);
    }

    private static Path prepare(Path folder, String example, Edit edit) {
        try {
            for (String name : List.of("run", "log", "www/static", "www/dynamic", "cache")) {
                Files.createDirectories(folder.resolve(name));
            }
            for (Path path = folder; path != null && path.startsWith("/tmp"); path = path.getParent()) {
                if (!path.equals(Path.of("/tmp"))) {
                    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(OPEN_TO_ALL));
                }
            }
            Files.setPosixFilePermissions(folder.resolve("cache"), PosixFilePermissions.fromString("rwxrwxrwx"));
            Path config = folder.resolve(Path.of(example).getFileName());
            Files.writeString(config, edit.apply(Files.readString(CONF.resolve(example))));
            return config;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeDocuments(Path folder, String text) {
        try {
            Files.writeString(folder.resolve("www/static/retier-proof"), "proof of " + text);
            Files.writeString(folder.resolve("www/dynamic/x"), text);
            Files.writeString(folder.resolve("mime.types"), "text/plain txt\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerControl control(ServerKind kind, Path program, Path folder, Path config, Options options) {
        ServerControl.Commands usual = ServerControl.Commands.usual(kind, program.toString());
        String pidName = kind.word() + ".pid";
        return new ServerControl(
                config,
                new MainProcess.InFile(folder.resolve("run").resolve(pidName)),
                "/.retier/status",
                kind == ServerKind.HAPROXY ? folder.resolve("run/admin.sock") : null,
                options.template,
                options.commands == null ? usual : options.commands,
                options.limits,
                List.of());
    }

    /** The configuration of the agent beside it. */
    public ServerConfig server() {
        return server;
    }

    /** The operator's file. */
    public Path config() {
        return server.controlled().config();
    }

    /** The same instance as an agent with other options sees it. */
    public ServerConfig seen(ServerControl.Commands commands) {
        ServerControl control = server.controlled();
        return new ServerConfig(
                server.kind(),
                server.address(),
                server.admin(),
                server.roleFile(),
                server.provePath(),
                new ServerControl(
                        control.config(),
                        control.process(),
                        control.statusPath(),
                        control.socket(),
                        control.template(),
                        commands,
                        control.limits(),
                        List.of()),
                server.tiers());
    }

    /** As an administrator does, or a rotation of logs. */
    public void reload() {
        String signal =
                server.kind() == ServerKind.HAPROXY ? "-USR2" : server.kind() == ServerKind.HTTPD ? "-USR1" : "-HUP";
        run(List.of("/bin/sh", "-c", "kill " + signal + " " + pid()), folder.resolve("reload.log"));
    }

    /** The youngest of its children, which is another one after a reload. */
    public long generation() {
        return ProcessHandle.of(pid()).stream()
                .flatMap(ProcessHandle::children)
                .mapToLong(ProcessHandle::pid)
                .max()
                .orElse(0);
    }

    /** By which it is started, and started again. */
    public List<String> startCommand() {
        return startCommand;
    }

    /** Starts it, and waits until it takes connections and has written down its process id. */
    public RealInstance start() {
        run(startCommand, folder.resolve("start.log"));
        await().atMost(Duration.ofSeconds(20)).until(() -> pid() > 0 && listens());
        return this;
    }

    private boolean listens() {
        try (Socket socket =
                new Socket(server.address().host(), server.address().port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** What it starts keeps its output, so that goes to a file. */
    private static void run(List<String> words, Path log) {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(words + " did not end well: " + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The process id of its parent, 0 when there is none. */
    public long pid() {
        try {
            Path file = server.controlled().pidFile();
            return Files.exists(file)
                    ? Long.parseLong(Files.readString(file)
                            .lines()
                            .findFirst()
                            .orElse("0")
                            .strip())
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Whether its parent lives. */
    public boolean isAlive() {
        return pid() > 0 && ProcessHandle.of(pid()).map(Daemons::runs).orElse(false);
    }

    private List<ProcessHandle> processes() {
        return Daemons.of(server.controlled().pidFile());
    }

    /** Kills (SIGKILL) these with their children all at once, so that they can be started again. */
    public static void killForRestart(List<RealInstance> killed) {
        Daemons.killForRestart(
                killed.stream().flatMap(one -> one.processes().stream()).toList());
    }

    /** Ends it with its children, at once: a graceful end of httpd takes a second. */
    @Override
    public void close() {
        Daemons.kill(processes());
    }

    /** Its folder. */
    public Path folder() {
        return folder;
    }
}
