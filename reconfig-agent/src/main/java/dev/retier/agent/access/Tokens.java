package dev.retier.agent.access;

import dev.retier.config.ConfigException;
import dev.retier.config.Problems;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of tokens: a line {@code name:role:sha256} for each, with the digest of the token in hexadecimal, so that who
 * reads the file has no token. Empty lines and those that begin with {@code #} say nothing. Immutable.
 */
public final class Tokens {
    /** Nobody has one. */
    public static final Tokens NONE = new Tokens(List.of());

    /** More than an agent needs; each token that is shown is held against all of them. */
    static final int MOST = 1_024;

    private static final Pattern LINE =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9._@-]{0,62}):(viewer|operator):([0-9a-fA-F]{64})");

    private final List<Entry> entries;

    @SuppressWarnings("ArrayRecordComponent") // compared in constant time, and never as part of a record
    private record Entry(String name, CallerRole role, byte[] digest) {}

    /**
     * Whose a token is.
     *
     * @param name of its line
     * @param role what one may do with it
     */
    public record Owner(String name, CallerRole role) {}

    private Tokens(List<Entry> entries) {
        this.entries = entries;
    }

    /**
     * Reads them.
     *
     * @param file how problems name the file
     * @throws ConfigException with every line that is wrong
     */
    public static Tokens parse(String text, String file) {
        Problems problems = new Problems(file);
        Map<Integer, Entry> entries = new TreeMap<>();
        Set<String> names = new HashSet<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String stripped = line.strip();
            if (stripped.isEmpty() || stripped.startsWith("#")) {
                continue;
            }
            Matcher matcher = LINE.matcher(stripped);
            if (!matcher.matches()) {
                // What it is may be a token by mistake: it is not shown.
                problems.add(number, "", "is no name:role:sha256; write what `retier token new` prints");
            } else if (!names.add(matcher.group(1))) {
                problems.add(number, "", "a line above has the name " + matcher.group(1) + "; give each its own");
            } else {
                CallerRole role = CallerRole.valueOf(matcher.group(2).toUpperCase(Locale.ROOT));
                byte[] digest = HexFormat.of().parseHex(matcher.group(3));
                entries.put(number, new Entry(matcher.group(1), role, digest));
            }
        }
        if (entries.size() > MOST) {
            problems.add(number, "", "there are more than " + MOST + " tokens; take away those that nobody uses");
        }
        if (!problems.isEmpty()) {
            throw problems.toException();
        }
        return new Tokens(List.copyOf(entries.values()));
    }

    /** The line of a file for a token. */
    public static String line(String name, CallerRole role, String token) {
        String line = name + ":" + role.name().toLowerCase(Locale.ROOT) + ":"
                + HexFormat.of().formatHex(digest(token));
        if (!LINE.matcher(line).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is no name; write 1 to 63 letters, digits, dots,"
                    + " dashes, underscores or @, the first a letter or a digit");
        }
        return line;
    }

    /** Whose that token is. Takes as long whichever it is, or whether it is one at all. */
    public Optional<Owner> owner(String token) {
        byte[] digest = digest(token);
        Owner owner = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.digest, digest)) {
                owner = new Owner(entry.name, entry.role);
            }
        }
        return Optional.ofNullable(owner);
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
