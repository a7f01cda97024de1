package dev.retier.link;

import dev.retier.link.auth.Secrets;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the cluster secret comes from, a file or the environment and never the configuration, and what it is now: one
 * secret, or two while it is replaced, each in a line of its own. A file is looked at again while links are kept;
 * connections that stand stay. Thread-safe.
 */
public final class SecretSource {
    /** More than two of the longest secrets and the white space around them. */
    private static final int MAX_FILE_BYTES = 4096;

    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    private final @Nullable Path file;
    private volatile Secrets secrets;
    /** Guarded by this: what the file said when it was last looked at, if that is not yet believed. */
    private @Nullable Secrets seen;
    /** Guarded by this: what was told last of a file that cannot be used; empty once it can. */
    private String problem = "";

    private SecretSource(@Nullable Path file, Secrets secrets) {
        this.file = file;
        this.secrets = secrets;
    }

    /** These, for good. */
    public static SecretSource of(Secrets secrets) {
        return new SecretSource(null, secrets);
    }

    /**
     * The secrets in {@code file}, now and whenever it changes.
     *
     * @throws StateException if the file cannot be read, holds no secrets, or others than its owner and its group may
     *     do anything with it; the message names the file and the remedy, never its text
     */
    public static SecretSource fromFile(Path file) {
        return new SecretSource(file, read(file));
    }

    /**
     * The secrets in the environment variable {@code name}, for good.
     *
     * @throws StateException if it is not set or holds no secrets; the message names the variable, never its text
     */
    public static SecretSource fromEnvironment(String name) {
        String text = System.getenv(name);
        if (text == null) {
            throw new StateException("environment variable " + name + " is not set: put the cluster secret into it");
        }
        return of(parse("environment variable " + name, text));
    }

    /** What is proven and accepted from now on. */
    public Secrets secrets() {
        return secrets;
    }

    /**
     * Looks whether the file has changed; what to tell of that, once for each change. A change counts when it has been
     * seen at two looks, as a file that is being written may have half a secret in it. A file that cannot be used
     * changes nothing.
     */
    synchronized Optional<News> look() {
        if (file == null) {
            return Optional.empty();
        }
        Secrets now;
        try {
            now = read(file);
        } catch (StateException unusable) {
            return unusable(String.valueOf(unusable.getMessage()));
        }
        boolean isSettled = now.equals(seen);
        seen = now;
        problem = isSettled ? "" : problem;
        if (!isSettled || now.equals(secrets)) {
            return Optional.empty();
        }
        secrets = now;
        return Optional.of(new News(
                true,
                file + " has changed: new connections use what it says now, "
                        + (now.second() == null ? "one secret" : "two secrets, and offer the first")));
    }

    /** What a look found. */
    record News(boolean isGood, String text) {}

    @Override
    public String toString() {
        return file == null ? "SecretSource[hidden]" : "SecretSource[" + file + "]";
    }

    private Optional<News> unusable(String why) {
        seen = null;
        if (why.equals(problem)) {
            return Optional.empty();
        }
        problem = why;
        return Optional.of(new News(false, "what was read of the cluster secret before still counts: " + why));
    }

    private static Secrets read(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_FILE_BYTES) {
                throw new StateException(file + " is no file of up to " + MAX_FILE_BYTES
                        + " bytes: make one with the cluster secret," + " text in UTF-8 that this user only can read");
            }
            refuseOthers(file);
            return parse("file " + file, Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new StateException(
                    "cannot read the cluster secret from " + file + ": " + remedy(unreadable), unreadable);
        }
    }

    /** As sshd does with its keys: who may read the secret may be any node, who may write it may put out all. */
    private static void refuseOthers(Path file) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
            throw new StateException("every user of this machine may open " + file
                    + ", which holds the cluster secret: take that right away (chmod o= " + file + "), and make a new"
                    + " secret if others have been here");
        }
    }

    private static String remedy(IOException unreadable) {
        return switch (unreadable) {
            case AccessDeniedException _ -> "permission denied; give it to this user (chown, chmod 400)";
            case CharacterCodingException _ -> "it is no text in UTF-8; write the secret into it, as such";
            default -> unreadable.getMessage() + "; it is to be text in UTF-8 that this user only can read";
        };
    }

    private static Secrets parse(String source, String text) {
        try {
            return Secrets.parse(text);
        } catch (IllegalArgumentException unusable) {
            throw new StateException(source + ": " + unusable.getMessage());
        }
    }
}
