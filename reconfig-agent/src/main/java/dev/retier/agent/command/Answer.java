package dev.retier.agent.command;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What became of a command.
 *
 * @param outcome in a word
 * @param body all there is to say, one JSON object whose first member is the outcome
 */
public record Answer(Outcome outcome, ObjectNode body) {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String OUTCOME = "outcome";

    /** How a command ended; each is an exit code of the command line. */
    public enum Outcome {
        /** It is done, or there was nothing to do. */
        DONE,
        /** Asked what would be done: something would. */
        CHANGES,
        /** A rail forbids it. */
        REFUSED,
        /** Another agent holds the move lock, or the order did not get through. */
        NO_LOCK,
        /** It was begun and taken back. */
        ROLLED_BACK,
        /** It was begun, and no end of it was seen in time. */
        TIMED_OUT,
        /** It names what there is not, or is no command. */
        BAD_REQUEST,
        /** It was tried and failed. */
        FAILED;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** An answer whose members are still to be added to its body. */
    public static Answer of(Outcome outcome) {
        return new Answer(outcome, MAPPER.createObjectNode().put(OUTCOME, outcome.word()));
    }

    /** An answer in one sentence. */
    public static Answer of(Outcome outcome, String detail) {
        Answer answer = of(outcome);
        answer.body.put("detail", detail);
        return answer;
    }

    /** As one line of JSON, without its end. */
    public String print() {
        return MAPPER.writeValueAsString(body);
    }

    /** The answer in such a line; empty for one that is none. */
    public static Optional<Answer> parse(String line) {
        try {
            JsonNode read = MAPPER.readTree(line);
            return read instanceof ObjectNode body
                    ? Stream.of(Outcome.values())
                            .filter(outcome ->
                                    outcome.word().equals(body.path(OUTCOME).asString("")))
                            .findFirst()
                            .map(outcome -> new Answer(outcome, body))
                    : Optional.empty();
        } catch (JacksonException e) {
            // Whatever it is, it is no answer.
            return Optional.empty();
        }
    }
}
