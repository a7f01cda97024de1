package dev.retier.agent.http;

import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the body of a request for a command says. Immutable.
 *
 * @param command what is asked for
 * @param epoch the only one of the cell at which it is; empty for any
 * @param text the body itself
 */
record CommandBody(Command command, OptionalLong epoch, String text) {
    private static final String JSON = "application/json";
    private static final String CHARSET = "charset";
    private static final String IF_EPOCH = "if_epoch";
    /** Whoever stands before the agent may go by the one of two keys that the agent does not. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Whether a body of that Content-Type is one: JSON is UTF-8 (RFC 8259, section 8.1). */
    static boolean isOfType(@Nullable String contentType) {
        String[] parts = contentType == null ? new String[] {""} : contentType.split(";", -1);
        return parts[0].strip().equalsIgnoreCase(JSON)
                && Arrays.stream(parts).skip(1).allMatch(CommandBody::isOfUtf8);
    }

    private static boolean isOfUtf8(String parameter) {
        String[] pair = parameter.split("=", 2);
        return !pair[0].strip().equalsIgnoreCase(CHARSET)
                || (pair.length == 2 && pair[1].replace('"', ' ').strip().equalsIgnoreCase("utf-8"));
    }

    /** What these bytes say; empty when they are no command. */
    static Optional<CommandBody> parse(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return text.length() <= CommandText.MAX_LENGTH && MAPPER.readTree(text) instanceof ObjectNode fields
                    ? parse(fields, text)
                    : Optional.empty();
        } catch (CharacterCodingException | JacksonException e) {
            // Whatever it is, it is no command.
            return Optional.empty();
        }
    }

    private static Optional<CommandBody> parse(ObjectNode fields, String text) {
        JsonNode epoch = fields.remove(IF_EPOCH);
        if (epoch != null && !(epoch.isIntegralNumber() && epoch.canConvertToLong() && epoch.longValue() >= 0)) {
            return Optional.empty();
        }
        OptionalLong wanted = epoch == null ? OptionalLong.empty() : OptionalLong.of(epoch.longValue());
        return CommandText.parse(MAPPER.writeValueAsString(fields))
                .map(command -> new CommandBody(command, wanted, text));
    }

    /** Why it is not carried out at that epoch of the cell; empty when it is. */
    Optional<String> objection(long current) {
        if (epoch.isEmpty() || epoch.getAsLong() == current) {
            return Optional.empty();
        }
        return Optional.of(
                epoch.getAsLong() < current
                        ? "the cell has gone on to epoch " + current + " from " + epoch.getAsLong()
                        : "the cell is at epoch " + current + ", and not yet at " + epoch.getAsLong());
    }
}
