package dev.retier.agent.real;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.config.HostPort;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small server of unknown kind that notes its signals; see {@code other-server.pl}.
 *
 * @param folder where it writes
 * @param mode what it does
 * @param address where it listens
 */
public record OtherStub(Path folder, String mode, HostPort address) {
    private static final Path PROGRAM =
            Path.of("src/test/resources/other-server.pl").toAbsolutePath();
    private static final Duration CONVERGE = Duration.ofSeconds(2);

    /** One in a folder that is there. */
    public static OtherStub of(Path folder, String mode) {
        return new OtherStub(folder, mode, Ports.free());
    }

    /** As a shell starts it, which notes that it did and does not wait for it. */
    public List<String> startCommand() {
        return List.of(
                "/bin/sh",
                "-c",
                "echo x >>\"$1/started\"; exec \"$0\" \"$2\" \"$3\" \"$1\" \"$4\" >>\"$1/log\" 2>&1 &",
                ExternalTool.find("perl").toString(),
                folder.toString(),
                PROGRAM.toString(),
                String.valueOf(address.port()),
                mode);
    }

    /** Which is told nothing, though it could be reloaded, and has that command to stop it. */
    public ServerConfig untold(List<String> stop, Duration startDeadline) {
        ServerControl.Limits limits = ServerControl.Limits.DEFAULTS;
        return server(
                null,
                "",
                new ServerControl.Commands("perl", List.of(), signal("USR1"), startCommand(), stop),
                new ServerControl.Limits(
                        limits.reloadInterval(), limits.checkDeadline(), limits.convergeDeadline(), startDeadline));
    }

    /**
     * Which gets a file by that template, and reads it again by {@code USR1}, and by {@code HUP} once nothing is in
     * flight by its page, if it has one. Nothing but a change of its role is in force within a minute.
     */
    public ServerConfig told(String template, String statusPath) {
        Path file = folder.resolve("template");
        try {
            Files.writeString(file, template);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return server(
                file,
                statusPath,
                new ServerControl.Commands(
                        "perl",
                        List.of(),
                        signal("USR1"),
                        List.of(),
                        List.of(),
                        statusPath.isEmpty() ? List.of() : signal("HUP")),
                new ServerControl.Limits(Duration.ofMinutes(1), Duration.ofSeconds(10), CONVERGE));
    }

    private static List<String> signal(String name) {
        return List.of("/bin/sh", "-c", "kill -" + name + " \"$0\"", ServerControl.PID);
    }

    private ServerConfig server(
            @Nullable Path template, String statusPath, ServerControl.Commands commands, ServerControl.Limits limits) {
        Path file = folder.resolve("retier.conf");
        return new ServerConfig(
                ServerKind.OTHER,
                address,
                address,
                file,
                "/proof",
                new ServerControl(
                        file,
                        new MainProcess.InFile(folder.resolve("pid")),
                        statusPath,
                        null,
                        template,
                        commands,
                        limits,
                        List.of()),
                ServerKind.OTHER.tiers());
    }

    /** As it runs beside an agent. */
    public RealInstance instance(ServerConfig server) {
        return RealInstance.of(folder, server, startCommand());
    }

    /** The signals that it has caught, and whatever else it notes in a file of that name. */
    public List<String> noted(String file) {
        try {
            return Files.exists(folder.resolve(file)) ? Files.readAllLines(folder.resolve(file)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a request that is not answered. */
    public Socket hold() {
        try {
            Socket socket = new Socket(address.host(), address.port());
            socket.getOutputStream().write("GET /hold HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
