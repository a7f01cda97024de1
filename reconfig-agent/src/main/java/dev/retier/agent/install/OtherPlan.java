package dev.retier.agent.install;

import dev.retier.agent.config.ServerConfig;
import dev.retier.config.HostPort;
import java.util.List;

/** A server of unknown kind, whose configuration nobody but its administrator can write. */
final class OtherPlan implements ServerPlan {
    private final ServerConfig server;

    OtherPlan(ServerConfig server) {
        this.server = server;
    }

    @Override
    public List<Edit> edits() {
        return List.of();
    }

    @Override
    public List<String> advice() {
        HostPort address = server.address();
        String proof = "a request for " + server.provePath() + " at " + address
                + " must be answered with a status below 400, for the first host of each site";
        return server.isTold()
                ? List.of(
                        "retier writes nothing into the configuration of a server of kind other. By hand:",
                        "  have it read " + server.roleFile() + ", which its agent makes of "
                                + server.controlled().ownTemplate().orElseThrow() + " with each change of its role",
                        "  " + proof)
                : List.of(
                        "retier writes nothing for a server of kind other that has no template: it is told nothing.",
                        "It serves as app as it stands; " + proof + ".");
    }

    /** There is no checker that is known to read the whole. */
    @Override
    public void verify() {}
}
