package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which volume is taken for this machine, and how. */
final class AttachOptions {
    @Parameters(
            index = "0",
            paramLabel = "NAME",
            converter = NameParameter.class,
            description = "What the volume is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(
            names = "--force",
            description = "Take it from the machine that has it; nothing that comes from there later is written.")
    private boolean isByForce;

    @Option(
            names = "--lost-after",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = LostAfter.Converter.class,
            description = {
                "Requests that have waited so long for the server fail (default: ${DEFAULT-VALUE}); or never. What was"
                        + " answered is kept all the same, and sent again once the server is back."
            })
    private LostAfter lostAfter = new LostAfter(Optional.of(Duration.ofSeconds(60)));

    @Mixin
    private ServerOption server = new ServerOption();

    VolumeName name() {
        return name;
    }

    /** Refuses what cannot be meant, before anything is begun. */
    void require() {
        server.require();
    }

    /** Whose volume it is, for people. */
    String server() {
        return server.told();
    }

    /** Takes it and has it used, with NBD on that socket. */
    void serve(Served.Socket socket, Served.Use use) throws InterruptedException {
        serve(socket, client -> client.attach(name, isByForce), use);
    }

    /** Reads it and has it used, with NBD on that socket; it is taken from nobody. */
    void serveForReading(Served.Socket socket, Served.Use use) throws InterruptedException {
        serve(socket, client -> client.attachForReading(name), use);
    }

    /** Whether it is to be taken from who has it. */
    boolean isByForce() {
        return isByForce;
    }

    private void serve(Served.Socket socket, Served.Attaching attaching, Served.Use use) throws InterruptedException {
        new Served(server, name, attaching).serve(socket, lostAfter.time(), use);
    }
}
