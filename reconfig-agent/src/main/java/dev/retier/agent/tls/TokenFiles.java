package dev.retier.agent.tls;

import dev.retier.agent.access.Tokens;
import dev.retier.config.ConfigException;
import dev.retier.config.IoReason;
import dev.retier.config.tls.FileRights;
import dev.retier.config.tls.PemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Files with tokens or their digests, to which others than their owner and group have no right. Stateless. */
public final class TokenFiles {
    /** More than a file of as many tokens as are taken has. */
    private static final int MOST_BYTES = 256 << 10;

    /** What may stand behind {@code Bearer} (RFC 6750, section 2.1). */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{1,512}");

    private TokenFiles() {}

    /**
     * The tokens that an agent takes.
     *
     * @throws PemException when the file cannot be used, with the remedy
     */
    public static Tokens tokens(Path file) {
        try {
            return Tokens.parse(text(file), file.toString());
        } catch (ConfigException e) {
            throw new PemException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The one token that a caller shows.
     *
     * @throws PemException when the file cannot be used, with the remedy
     */
    public static String token(Path file) {
        String token = text(file).strip();
        if (!TOKEN.matcher(token).matches()) {
            throw new PemException(file + ": it is not one token; write the token that `retier token new` has printed,"
                    + " and nothing else");
        }
        return token;
    }

    private static String text(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) { // to open a pipe may take for ever
            throw new PemException(file + ": it is no file; write the tokens into one, or name another");
        }
        try (InputStream in = Files.newInputStream(file)) {
            if (FileRights.haveOthers(file)) {
                throw new PemException(file + ": others may use it; chmod o= " + file
                        + ", and make new tokens if somebody else may have read it");
            }
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new PemException(file + ": it has more than " + (MOST_BYTES >> 10) + " KiB; name another file");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new PemException(file + ": " + IoReason.of(e) + "; this process must be able to read it", e);
        }
    }
}
