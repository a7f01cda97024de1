package dev.retier.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/** SHA-256, in hexadecimal digits, of what decides how a run comes out. Stateless. */
public final class Digests {
    private Digests() {}

    /**
     * Of all files of a class path, archives and folders, in its order.
     *
     * @throws IOException if one cannot be read
     */
    public static String ofClassPath(String[] places) throws IOException {
        MessageDigest digest = sha256();
        for (String place : places) {
            try (Stream<Path> files = Files.walk(Path.of(place))) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    digest.update(Files.readAllBytes(file));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Of these bytes. */
    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
