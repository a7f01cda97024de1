package dev.retier.cli.bundle;

import dev.retier.cli.bundle.text.Anonymising;
import dev.retier.cli.bundle.text.Masking;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** What was collected so far, and what could not be. Bounded; not thread-safe. */
final class Collected {
    private static final long MOST_CHARACTERS = 64L << 20;
    private static final String FOLDER = "retier-bundle/";
    private static final String MANIFEST = "MANIFEST";

    private final Masking masking;
    private final Map<String, String> texts = new TreeMap<>();
    private final List<String> missing = new ArrayList<>();
    private long characters;

    Collected(Masking masking) {
        this.masking = masking;
    }

    /** A text, without its secrets, under that path of the archive. */
    void add(String path, String text) {
        if (characters + text.length() > MOST_CHARACTERS) {
            missing(path, "the archive has " + (MOST_CHARACTERS >> 20) + " MiB already");
            return;
        }
        characters += text.length();
        texts.put(path, masking.mask(text));
    }

    /** Why something is not there. */
    void missing(String what, String why) {
        missing.add(masking.mask(what + ": " + why.strip().replace('\n', ' ')));
    }

    /** All texts with other names, paths as well; and what of it still has one of the old. */
    Optional<String> anonymise(Anonymising names) {
        Map<String, String> changed = new TreeMap<>();
        texts.forEach((path, text) -> changed.put(names.change(path), names.change(text)));
        texts.clear();
        texts.putAll(changed);
        missing.replaceAll(names::change);
        return texts.entrySet().stream()
                .flatMap(each -> names
                        .left(each.getKey() + "\n" + each.getValue())
                        .map(name -> "'" + name + "' in " + each.getKey())
                        .stream())
                .findFirst();
    }

    /** The list of all that, which is in the archive as well. */
    String manifest(String head) {
        StringBuilder list = new StringBuilder(head).append("\nIn it:\n");
        texts.forEach((path, text) -> list.append("  ")
                .append(path)
                .append("  ")
                .append(text.getBytes(StandardCharsets.UTF_8).length)
                .append(" bytes\n"));
        if (!missing.isEmpty()) {
            list.append("\nNot in it:\n");
            missing.forEach(line -> list.append("  ").append(line).append('\n'));
        }
        return list.toString();
    }

    /** Writes it all as one {@code tar.gz}. */
    void write(OutputStream out, String manifest, Instant at) throws IOException {
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(out), "UTF-8")) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            put(tar, MANIFEST, manifest, at);
            for (Map.Entry<String, String> each : texts.entrySet()) {
                put(tar, each.getKey(), each.getValue(), at);
            }
        }
    }

    private static void put(TarArchiveOutputStream tar, String path, String text, Instant at) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = new TarArchiveEntry(FOLDER + path);
        entry.setSize(bytes.length);
        entry.setModTime(at.toEpochMilli());
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }
}
