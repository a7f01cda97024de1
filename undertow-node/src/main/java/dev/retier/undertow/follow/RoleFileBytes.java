package dev.retier.undertow.follow;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The content of a role file and its hash. */
@SuppressWarnings("ArrayRecordComponent") // compared by hash
record RoleFileBytes(byte[] bytes, String sha256) {
    /** One more than the parser accepts, so that a longer file is refused there, with a clear reason. */
    private static final int MAX_BYTES = (1 << 20) + 1;

    /** Reads at most what the parser could accept. A directory or device is no file. */
    static RoleFileBytes read(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("not a regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES);
            return new RoleFileBytes(bytes, sha256(bytes));
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
