package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where in a cluster a volume is to be made. */
final class PlaceOption {
    @Option(
            names = "--on",
            paramLabel = "NODE",
            description = "Whose server it is to be on (default: as the cluster file says, or the only one).")
    private @Nullable String on;

    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    boolean isSaid() {
        return on != null;
    }

    /** Refuses a node where no cluster is asked. */
    void require(ServerOption server) {
        if (isSaid() && server.servers().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--on names a node of a cluster file: give that by --config");
        }
    }

    /** A volume that is to be made there. */
    ClusterServers.Wanted wanted(VolumeName name) {
        return new ClusterServers.Wanted(name, true, on);
    }
}
