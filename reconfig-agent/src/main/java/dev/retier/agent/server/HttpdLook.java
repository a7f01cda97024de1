package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import java.io.IOException;

/** What httpd says of its configuration on disk as it stands. Stateless. */
public final class HttpdLook {
    private HttpdLook() {}

    /**
     * Its includes, modules, virtual hosts and names.
     *
     * @throws IOException when its checker refuses the configuration, with what it says
     */
    public static String dump(ServerConfig server) throws IOException, InterruptedException {
        CommandRunner.Outcome outcome = Commands.look(server.controlled(), HttpdDialect.DUMPS);
        if (!outcome.isGood()) {
            throw new IOException(outcome.summary());
        }
        return outcome.output();
    }
}
