package dev.retier.cli.cert;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.secret.SecretFile;
import dev.retier.config.IoReason;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.RereadListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PrivateKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its key on disk. No file is overwritten, and of two none is left when one cannot be made.
 *
 * @param folder where they are
 * @param name without {@code .pem} and {@code .key}
 */
record CertFiles(Path folder, String name) {
    private static final int MOST_DAYS = 36_500;

    Path certificate() {
        return folder.resolve(name + ".pem");
    }

    Path key() {
        return folder.resolve(name + ".key");
    }

    /** So many days; what is none ends the command. */
    static Duration days(int days) {
        if (days < 1 || days > MOST_DAYS) {
            throw new CommandFailure(ExitCode.USAGE, "--days " + days + ": write a number in 1.." + MOST_DAYS);
        }
        return Duration.ofDays(days);
    }

    /** What is made; a name that does not fit ends the command. */
    static Issued made(Supplier<Issued> making) {
        try {
            return making.get();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--name: " + e.getMessage(), e);
        }
    }

    /** An authority's; what cannot be used ends the command. */
    Issued read() {
        if (!Files.exists(certificate())) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    certificate() + ": there is no authority; make one by `retier cert new`, or name its folder by"
                            + " --ca");
        }
        try {
            KeyFiles files = KeyFiles.open(certificate(), key(), RereadListener.ONCE);
            String alias = files.chooseServerAlias("EC", null, null);
            PrivateKey key = alias == null ? null : files.getPrivateKey(alias);
            if (key == null || files.certificate().getBasicConstraints() < 0) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        certificate() + " is no authority with an EC key; name the folder of one that"
                                + " `retier cert new` has made");
            }
            return new Issued(files.certificate(), key);
        } catch (PemException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /** Writes both; the key is for its owner alone. */
    void writeOwn(Issued issued) {
        String _ = write(issued, SecretFile::writeOwn);
    }

    /**
     * Writes both; the key is for the group, too, in a folder of the agents' group.
     *
     * @return who may read the key, in words
     */
    String writeShared(Issued issued) {
        return write(issued, SecretFile::write);
    }

    private interface Writing {
        String write(Path file, String text) throws IOException;
    }

    private String write(Issued issued, Writing writing) {
        for (Path file : List.of(certificate(), key())) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw isThere(file, null);
            }
        }
        try {
            String readers = writing.write(key(), issued.keyPem());
            try (var channel = Files.newByteChannel(
                    certificate(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
                channel.write(StandardCharsets.US_ASCII.encode(issued.certificatePem()));
                return readers;
            } catch (IOException e) {
                Files.delete(key());
                throw e;
            }
        } catch (FileAlreadyExistsException e) {
            throw isThere(Path.of(String.valueOf(e.getFile())), e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    folder + ": " + name + ".pem and " + name + ".key cannot be made (" + IoReason.of(e)
                            + "); the folder must be there and writable",
                    e);
        }
    }

    private static CommandFailure isThere(Path file, @Nullable Throwable cause) {
        String text = file + " is there already and stays as it is; name another folder, or move it away first";
        return cause == null
                ? new CommandFailure(ExitCode.FAILED, text)
                : new CommandFailure(ExitCode.FAILED, text, cause);
    }
}
