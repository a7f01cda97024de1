package dev.retier.agent.command;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A command that an agent was asked to carry out, and what became of it.
 *
 * @param id its own among all of the agent's
 * @param at when it was taken
 * @param by who asked, as the kernel, a certificate or a tokens file calls him
 * @param from the address that it came from, or the control socket
 * @param line the command, as {@link CommandText} prints it
 * @param end what became of it; null while nothing has, and for ever if the agent was killed meanwhile
 */
public record CommandAsked(
        String id,
        Instant at,
        String by,
        String from,
        String line,
        @Nullable End end) {
    private static final JsonMapper MAPPER = new JsonMapper();

    /**
     * How it ended.
     *
     * @param outcome in a word
     * @param detail the agent's own words, empty for none
     */
    public record End(Instant at, String outcome, String detail) {}

    /** The same, ended so. */
    public CommandAsked ended(Instant when, Answer answer) {
        String sentence = answer.body().path("sentence").asString("");
        String detail = answer.body().path("detail").asString("");
        String words = sentence.isEmpty() || detail.isEmpty() ? sentence + detail : sentence + "; " + detail;
        return new CommandAsked(
                id,
                at,
                by,
                from,
                line,
                new End(when, answer.body().path("outcome").asString(""), words));
    }

    /** As one line of JSON, without its end. */
    public String print() {
        ObjectNode out = MAPPER.createObjectNode()
                .put("id", id)
                .put("at", at.toString())
                .put("by", by)
                .put("from", from);
        out.set("command", MAPPER.readTree(line));
        if (end != null) {
            out.put("ended_at", end.at.toString()).put("outcome", end.outcome).put("detail", end.detail);
        }
        return MAPPER.writeValueAsString(out);
    }

    /** What such a line says; empty for one that is none. */
    public static Optional<CommandAsked> parse(String text) {
        try {
            JsonNode read = MAPPER.readTree(text);
            if (!(read.path("command") instanceof ObjectNode command)
                    || read.path("id").asString("").isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new CommandAsked(
                    read.path("id").asString(""),
                    Instant.parse(read.path("at").asString("")),
                    read.path("by").asString(""),
                    read.path("from").asString(""),
                    MAPPER.writeValueAsString(command),
                    end(read)));
        } catch (JacksonException | DateTimeException e) {
            // Whatever it is, it is no such line.
            return Optional.empty();
        }
    }

    private static @Nullable End end(JsonNode read) {
        String at = read.path("ended_at").asString("");
        return at.isEmpty()
                ? null
                : new End(
                        Instant.parse(at),
                        read.path("outcome").asString(""),
                        read.path("detail").asString(""));
    }
}
