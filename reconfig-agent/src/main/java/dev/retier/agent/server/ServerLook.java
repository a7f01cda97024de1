package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import java.io.IOException;
import java.util.List;

/** What a server's own checker says of its configuration on disk as it stands. Stateless. */
public final class ServerLook {
    private ServerLook() {}

    /**
     * The includes, modules, virtual hosts and names of an httpd.
     *
     * @throws IOException when the checker refuses the configuration, with what it says
     */
    public static String dumpOfHttpd(ServerConfig server) throws IOException, InterruptedException {
        return output(Commands.look(server.controlled(), HttpdDialect.DUMPS));
    }

    /**
     * All files that an nginx reads.
     *
     * @throws IOException when the checker refuses the configuration, with what it says
     */
    public static String dumpOfNginx(ServerConfig server) throws IOException, InterruptedException {
        return output(Commands.lookOfNginx(server.controlled(), List.of("-T")));
    }

    /**
     * Has a HAProxy's checker read the operator's file with the generated one.
     *
     * @throws IOException when it refuses them, with what it says
     */
    public static void checkHaproxy(ServerConfig server) throws IOException, InterruptedException {
        String _ =
                output(Commands.check(server.controlled(), server.controlled().config(), server.roleFile(), List.of()));
    }

    private static String output(CommandRunner.Outcome outcome) throws IOException {
        if (!outcome.isGood()) {
            throw new IOException(outcome.summary());
        }
        if (outcome.isCut()) {
            throw new IOException("the configuration is too large to be looked at: the checker says "
                    + (outcome.output().length() >> 10) + " KiB and more");
        }
        return outcome.output();
    }
}
