package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import java.io.IOException;
import java.util.List;

/** What HAProxy's checker says of its configuration on disk as it stands. Stateless. */
public final class HaproxyLook {
    private HaproxyLook() {}

    /**
     * Has it read the operator's file with the generated one.
     *
     * @throws IOException when it refuses them, with what it says
     */
    public static void check(ServerConfig server) throws IOException, InterruptedException {
        CommandRunner.Outcome outcome =
                Commands.check(server.controlled(), server.controlled().config(), server.roleFile(), List.of());
        if (!outcome.isGood()) {
            throw new IOException(outcome.summary());
        }
    }
}
