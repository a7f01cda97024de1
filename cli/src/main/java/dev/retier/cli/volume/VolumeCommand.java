package dev.retier.cli.volume;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code retier volume}. */
@Command(
        name = "volume",
        description = "Keep volumes on a server, and use them on other machines.",
        footer = {
            "",
            "On the server:",
            "  retier volume serve --config pool.yaml",
            "On any machine that has the secret (in place of --server and --secret-file also --config cluster.yaml):",
            "  retier volume create accounts --size 20g --server db-1:7100 --secret-file secret",
            "  retier volume mount accounts /srv/accounts --mkfs --server db-1:7100 --secret-file secret",
            "  retier volume attach accounts --nbd accounts.sock --server db-1:7100 --secret-file secret"
        },
        subcommands = {
            ServeCommand.class,
            CreateCommand.class,
            ListCommand.class,
            ShowCommand.class,
            CheckCommand.class,
            SnapshotCommand.class,
            RollbackCommand.class,
            CloneCommand.class,
            ResizeCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            TrimCommand.class,
            ScrubCommand.class,
            DeleteCommand.class,
            AttachCommand.class,
            DetachCommand.class,
            MountCommand.class,
            UnmountCommand.class,
            TraceCommand.class
        })
public final class VolumeCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: serve, create, list, show, check, snapshot, rollback, clone, export, import,"
                        + " resize, trim, scrub, delete, attach, detach, mount, unmount or trace");
    }
}
