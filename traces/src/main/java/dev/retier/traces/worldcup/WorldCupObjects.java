package dev.retier.traces.worldcup;

import dev.retier.traces.Lines;
import dev.retier.traces.RequestTargets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The URLs of the World Cup objects: lines of {@code id URL}. Like the official tool this takes a URL up to its first
 * white space, so that none of the 62 carriage returns in the URLs gets through. Immutable, thread-safe.
 */
public final class WorldCupObjects {
    /** Ids beyond this are refused; the real file ends at 89,996. */
    public static final int MAX_OBJECTS = 1 << 20;

    /** So that percent-encoding all of it, and a slash before, still gives a target that is not too long. */
    private static final int LONGEST_URL_BYTES = (RequestTargets.MAX_LENGTH - 1) / 3;

    private final List<byte[]> urls;

    /** Worked out when first asked for; written without a lock, as strings are immutable. */
    private final @Nullable String[] targets;

    private WorldCupObjects(List<byte[]> urls) {
        this.urls = urls;
        this.targets = new @Nullable String[urls.size()];
    }

    /**
     * Reads decompressed text to its end; {@code in} stays open.
     *
     * @throws IllegalArgumentException that names the first line that is not {@code id URL}
     */
    public static WorldCupObjects read(InputStream in) throws IOException {
        Lines lines = new Lines(in);
        List<byte[]> urls = new ArrayList<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            String[] words = line.strip().split("\\s+", 3);
            if (words.length < 2 || !words[0].matches("\\d{1,7}") || Integer.parseInt(words[0]) >= MAX_OBJECTS) {
                throw new IllegalArgumentException("line " + lines.number() + " is not: id URL");
            }
            int id = Integer.parseInt(words[0]);
            while (urls.size() <= id) {
                urls.add(new byte[0]);
            }
            urls.set(id, words[1].getBytes(StandardCharsets.ISO_8859_1));
        }
        return new WorldCupObjects(List.copyOf(urls));
    }

    /** How many ids there are, counting gaps. */
    public int size() {
        return urls.size();
    }

    /**
     * The request target for {@code id}, safe for the wire; null when the file has no URL for it, or one that is too
     * long.
     */
    @Nullable
    String target(long id) {
        byte[] url = url(id);
        if (url == null || url.length > LONGEST_URL_BYTES) {
            return null;
        }
        String known = targets[(int) id];
        if (known == null) {
            known = RequestTargets.safe(new String(url, StandardCharsets.ISO_8859_1));
            targets[(int) id] = known;
        }
        return known;
    }

    /** The URL of {@code id} as bytes, not to be changed; null when the file has none. */
    byte @Nullable [] url(long id) {
        byte[] url = id < urls.size() ? urls.get((int) id) : new byte[0];
        return url.length == 0 ? null : url;
    }
}
