package dev.retier.agent.install;

import dev.retier.agent.apply.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The edits that were made, with what was there before, as a file. Stateless. */
final class Kept {
    private static final JsonMapper MAPPER = new JsonMapper();

    private Kept() {}

    /** All that the file tells of; nothing where there is none. */
    static List<Edit> read(Path file) throws IOException {
        List<Edit> edits = new ArrayList<>();
        if (!Files.exists(file)) {
            return edits;
        }
        try {
            for (JsonNode edit : MAPPER.readTree(Files.readString(file))) {
                Path path = Path.of(edit.path("file").stringValue());
                edits.add(
                        edit.has("link")
                                ? new Edit.Link(path, edit.path("link").stringValue())
                                : new Edit.Text(
                                        path,
                                        edit.has("before") ? edit.path("before").stringValue() : null,
                                        edit.path("after").stringValue()));
            }
        } catch (JacksonException e) {
            throw new IOException(file + " is damaged; take the lines of retier out by hand, and remove it", e);
        }
        return edits;
    }

    static void write(Path file, List<Edit> edits) throws IOException {
        if (edits.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        ArrayNode list = MAPPER.createArrayNode();
        for (Edit edit : edits) {
            ObjectNode out = list.addObject().put("file", edit.file().toString());
            switch (edit) {
                case Edit.Link(Path _, String target) -> out.put("link", target);
                case Edit.Text(Path _, String before, String after) -> {
                    if (before != null) {
                        out.put("before", before);
                    }
                    out.put("after", after);
                }
            }
        }
        ensurePrivate(file);
        AtomicFile.replace(file, MAPPER.writeValueAsString(list));
    }

    /** In it are whole files of the operator's, which may have passwords. */
    private static void ensurePrivate(Path file) throws IOException {
        Files.createDirectories(AtomicFile.parent(file));
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
