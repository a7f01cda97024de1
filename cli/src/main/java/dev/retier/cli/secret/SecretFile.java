package dev.retier.cli.secret;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;

/** Files with the secret of a cell, or another that nobody else may read. Stateless. */
public final class SecretFile {
    /** The group of the user that the packages' agents run as. */
    static final String GROUP = "retier";

    /** 256 bits, the length of the MAC's key (RFC 2104 section 3); 44 characters. */
    private static final int LENGTH_BYTES = 32;

    private static final String OWNER_READS = "readable by its owner alone";
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNER_AND_GROUP = PosixFilePermissions.fromString("rw-r-----");

    private SecretFile() {}

    /** A new one, in Base64. */
    static String secret() {
        byte[] bytes = new byte[LENGTH_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Makes {@code file} with that text, for its owner and, in a folder of the group {@value #GROUP}, that group. At no
     * instant may anybody read it who may not in the end.
     *
     * @return who may read it, in words
     * @throws java.nio.file.FileAlreadyExistsException when there is such a file; it stays as it is
     * @throws IOException when it cannot be made; then there is none
     */
    public static String write(Path file, String text) throws IOException {
        String _ = writeOwn(file, text);
        try {
            return shareWithGroup(file);
        } catch (IOException e) {
            Files.delete(file);
            throw e;
        }
    }

    /** The same for its owner alone, whatever folder it is in. */
    public static String writeOwn(Path file, String text) throws IOException {
        try (var channel = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.DSYNC),
                PosixFilePermissions.asFileAttribute(OWNER))) {
            channel.write(StandardCharsets.US_ASCII.encode(text));
        }
        return OWNER_READS;
    }

    private static String shareWithGroup(Path file) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
        GroupPrincipal group =
                Files.readAttributes(folder, PosixFileAttributes.class).group();
        if (!group.getName().equals(GROUP)) {
            return OWNER_READS;
        }
        Files.getFileAttributeView(file, PosixFileAttributeView.class).setGroup(group);
        Files.setPosixFilePermissions(file, OWNER_AND_GROUP);
        return "readable by its owner and the group " + GROUP;
    }
}
