package dev.retier.agent.command;

import dev.retier.agent.command.Command.Manner;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A command as one line of JSON, such as {@code {"command":"move","node":"web-3","to":"shop/proxy","force":false}}.
 * What is unknown or of another kind is refused. Stateless.
 */
public final class CommandText {
    /** No command needs more. */
    public static final int MAX_LENGTH = 1_024;

    private static final int MAX_VALUE_LENGTH = 128;
    /** Of two keys of one name it is doubtful which one is meant. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final Set<String> MANNER = Set.of("dry_run", "force");
    private static final Map<String, Set<String>> KEYS = Map.of(
            "plan", Set.of(),
            "move", Set.of("node", "to", "dry_run", "force"),
            "drain", Set.of("node", "dry_run", "force"),
            "undrain", Set.of("node", "to", "dry_run", "force"),
            "undo", MANNER,
            "repair", Set.of("node", "dry_run"),
            "pause", Set.of("here"),
            "resume", Set.of("here"),
            "diff", Set.of("to"));

    private CommandText() {}

    /** The line of a command, without its end. */
    public static String print(Command command) {
        ObjectNode line = MAPPER.createObjectNode();
        switch (command) {
            case Command.Plan _ -> line.put("command", "plan");
            case Command.Move(String node, String to, Manner manner) ->
                manner(line.put("command", "move").put("node", node).put("to", to), manner);
            case Command.Drain(String node, Manner manner) ->
                manner(line.put("command", "drain").put("node", node), manner);
            case Command.Undrain(String node, String to, Manner manner) ->
                manner(optional(line.put("command", "undrain").put("node", node), to), manner);
            case Command.Undo(Manner manner) -> manner(line.put("command", "undo"), manner);
            case Command.Repair(String node, boolean isDryRun) ->
                line.put("command", "repair").put("node", node).put("dry_run", isDryRun);
            case Command.Pause(boolean isHereOnly) ->
                line.put("command", "pause").put("here", isHereOnly);
            case Command.Resume(boolean isHereOnly) ->
                line.put("command", "resume").put("here", isHereOnly);
            case Command.Diff(String to) -> optional(line.put("command", "diff"), to);
        }
        return MAPPER.writeValueAsString(line);
    }

    private static void manner(ObjectNode line, Manner manner) {
        line.put("dry_run", manner.isDryRun()).put("force", manner.isForced());
    }

    private static ObjectNode optional(ObjectNode line, @Nullable String to) {
        return to == null ? line : line.put("to", to);
    }

    /** The command of a line; empty for one that is none. */
    public static Optional<Command> parse(String line) {
        if (line.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            return MAPPER.readTree(line) instanceof ObjectNode fields ? parse(fields) : Optional.empty();
        } catch (JacksonException e) {
            // Whatever it is, it is no command.
            return Optional.empty();
        }
    }

    private static Optional<Command> parse(ObjectNode fields) {
        String name = text(fields, "command");
        Set<String> keys = KEYS.get(name == null ? "" : name);
        boolean isKnown = keys != null
                && fields.properties().stream()
                        .allMatch(field -> field.getKey().equals("command")
                                || (keys.contains(field.getKey()) && isSound(field.getKey(), field.getValue())));
        return isKnown && name != null ? of(name, fields) : Optional.empty();
    }

    private static boolean isSound(String key, JsonNode value) {
        return switch (key) {
            case "node", "to" -> value.isString() && value.stringValue().length() <= MAX_VALUE_LENGTH;
            default -> value.isBoolean();
        };
    }

    private static Optional<Command> of(String name, ObjectNode fields) {
        Manner manner = new Manner(flag(fields, "dry_run"), flag(fields, "force"));
        String node = text(fields, "node");
        String to = text(fields, "to");
        return switch (name) {
            case "plan" -> Optional.of(new Command.Plan());
            case "move" ->
                node == null || to == null ? Optional.empty() : Optional.of(new Command.Move(node, to, manner));
            case "drain" -> node == null ? Optional.empty() : Optional.of(new Command.Drain(node, manner));
            case "undrain" -> node == null ? Optional.empty() : Optional.of(new Command.Undrain(node, to, manner));
            case "undo" -> Optional.of(new Command.Undo(manner));
            case "repair" -> node == null ? Optional.empty() : Optional.of(new Command.Repair(node, manner.isDryRun()));
            case "pause" -> Optional.of(new Command.Pause(flag(fields, "here")));
            case "resume" -> Optional.of(new Command.Resume(flag(fields, "here")));
            case "diff" -> Optional.of(new Command.Diff(to));
            default -> Optional.empty();
        };
    }

    private static @Nullable String text(ObjectNode fields, String key) {
        JsonNode value = fields.get(key);
        return value != null && value.isString() ? value.stringValue() : null;
    }

    private static boolean flag(ObjectNode fields, String key) {
        return fields.path(key).asBoolean(false);
    }
}
