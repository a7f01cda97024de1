package dev.retier.agent.journal;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.command.PastMove;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.view.RoleText;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line: {@code {"at": ..., "epoch": 7, "from": "1/app", "to": "1/proxy", "phase": "DRAINED", "word": "..."}}. The
 * word in hexadecimal is what is read again; the fields before it are for people.
 */
final class JournalLine {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int HEXADECIMAL = 16;

    private JournalLine() {}

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
        return MAPPER.writeValueAsString(line) + "\n";
    }

    private static String role(Role role) {
        return switch (role) {
            case Role.Spare _ -> RoleText.tier(role);
            case Role.Drained _ -> RoleText.DRAINED;
            case Role.Serving serving -> serving.site().value() + "/" + RoleText.tier(role);
        };
    }

    static List<PastMove.Entry> parseAll(String file, String text) {
        List<PastMove.Entry> records = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            try {
                records.add(parse(line));
            } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
                throw new ReconfigException(
                        ReconfigException.Category.FATAL,
                        file + ":" + number + ": not a line of a journal; move the file away to start as configured",
                        e);
            }
        }
        return records;
    }

    private static PastMove.Entry parse(String text) {
        JsonNode line = MAPPER.readTree(text);
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
