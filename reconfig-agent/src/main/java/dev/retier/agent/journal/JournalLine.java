package dev.retier.agent.journal;

import dev.retier.agent.command.PastMove;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.view.RoleText;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line: {@code {"at": ..., "epoch": 7, "from": "1/app", "to": "1/proxy", "phase": "DRAINED", "word": ..., "check":
 * ...}}. The word in hexadecimal is what is read again; the fields before it are for people; the check is the CRC32c of
 * the line without it. Lines of earlier versions have none. Stateless.
 */
final class JournalLine {
    /** How each begins. */
    static final String BEGIN = "{\"at\":";

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int HEXADECIMAL = 16;
    private static final Pattern CHECKED = Pattern.compile("(.*),\"check\":\"([0-9a-f]{8})\"}");
    private static final Set<String> FIELDS = Set.of("at", "epoch", "from", "to", "phase", "reason", "word");

    /** None is longer; by far, as all fields are short. */
    private static final int LONGEST = 1_024;

    private JournalLine() {}

    /** Whether {@code text} may be the beginning of a line of which a crash, or a full disk, has cut the rest. */
    static boolean isCutShort(String text) {
        boolean isBegun = text.startsWith(BEGIN) || BEGIN.startsWith(text);
        return isBegun && text.length() <= LONGEST && text.chars().allMatch(one -> one >= ' ' && one <= '~');
    }

    /** A printed line without its end, which is none. */
    static String cutShort(String line) {
        return line.substring(0, line.length() - "}\n".length());
    }

    static String print(MoveRecord entry, Instant at) {
        RoleWord word = entry.word();
        ObjectNode line = MAPPER.createObjectNode();
        line.put("at", at.toString());
        line.put("epoch", word.epoch());
        line.put("from", role(word.from()));
        line.put("to", role(word.to()));
        line.put("phase", entry.phase().name());
        if (entry.reason() != null) {
            line.put("reason", entry.reason().name());
        }
        line.put("word", Long.toHexString(word.encode()));
        String text = MAPPER.writeValueAsString(line);
        return text.substring(0, text.length() - 1) + ",\"check\":\"" + check(text) + "\"}\n";
    }

    private static String check(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    /** A role by the number of its site. */
    static String role(Role role) {
        return switch (role) {
            case Role.Spare _ -> RoleText.tier(role);
            case Role.Drained _ -> RoleText.DRAINED;
            case Role.Serving serving -> serving.site().value() + "/" + RoleText.tier(role);
        };
    }

    /** The record in a line; empty when it is none, or not as it was written. */
    static Optional<PastMove.Entry> parse(String line) {
        Matcher checked = CHECKED.matcher(line);
        String text = checked.matches() ? checked.group(1) + "}" : line;
        if (checked.matches() && !check(text).equals(checked.group(2))) {
            return Optional.empty();
        }
        try {
            return Optional.of(entry(MAPPER.readTree(text)));
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static PastMove.Entry entry(JsonNode line) {
        if (!FIELDS.containsAll(line.propertyNames())) {
            throw new IllegalArgumentException("fields " + line.propertyNames());
        }
        RoleWord word =
                RoleWord.decode(Long.parseUnsignedLong(line.required("word").stringValue(), HEXADECIMAL));
        JsonNode reason = line.get("reason");
        MoveRecord entry = new MoveRecord(
                word,
                MovePhase.valueOf(line.required("phase").stringValue()),
                reason == null ? null : RollbackReason.valueOf(reason.stringValue()));
        return new PastMove.Entry(Instant.parse(line.required("at").stringValue()), entry);
    }
}
