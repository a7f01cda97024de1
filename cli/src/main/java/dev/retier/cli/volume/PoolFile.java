package dev.retier.cli.volume;

import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigReader;
import dev.retier.config.Fields;
import dev.retier.config.HostPort;
import dev.retier.config.IoReason;
import dev.retier.config.Problems;
import dev.retier.link.SecretSource;
import dev.retier.link.StateException;
import dev.retier.volume.config.PoolConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A volume server's file on disk, and what it names. Stateless. */
final class PoolFile {
    private PoolFile() {}

    /** What it says; ends the command with every problem. */
    static PoolConfig read(Path file) {
        try {
            return PoolConfig.parse(ConfigFile.text(file), file.toString());
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, file + ": cannot be read (" + IoReason.of(e) + "); name a readable file");
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    /** Whether that file is of a cluster, and not of one volume server; false if it cannot be read. */
    static boolean isOfCluster(Path file) {
        try {
            Problems unheeded = new Problems(file.toString());
            return Fields.root(ConfigReader.yaml(ConfigFile.text(file), unheeded), unheeded)
                    .has("nodes");
        } catch (IOException told) {
            return false; // by whoever reads it for good
        }
    }

    /** The secrets in a file; ends the command if there is none. */
    static SecretSource secret(Path file) {
        try {
            return SecretSource.fromFile(file);
        } catch (StateException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    /** Why a pool cannot be used: of what the system refuses Java says the file's name alone. */
    static String reason(IOException failure) {
        if (!(failure instanceof FileSystemException refused) || refused.getFile() == null) {
            return String.valueOf(failure.getMessage());
        }
        return refused.getFile() + ": " + IoReason.of(refused)
                + (refused instanceof AccessDeniedException
                        ? "; run it as the user whose pool it is, or give the folder to this user (chown)"
                        : "");
    }

    /** Where that is; ends the command if the name is nobody's. */
    static InetSocketAddress resolved(HostPort address) {
        InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
        if (resolved.isUnresolved()) {
            throw new CommandFailure(
                    ExitCode.FAILED, "host " + address.host() + " does not resolve; name one that does, or an address");
        }
        return resolved;
    }
}
