package dev.retier.agent.render;

import dev.retier.agent.view.Stamps;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A generated file, and what it says.
 *
 * @param stamp its number; see {@link Stamps}
 * @param role {@code proxy}, {@code app}, {@code spare} or {@code edge}
 * @param site name of the site, null for a spare
 * @param content the file
 * @param structure what of it takes a reload to come into force, as eight hexadecimal digits: two files of the same
 *     structure differ in nothing but their stamp and in what the server changes at run time
 * @param pool how the server names the group of its members
 * @param members to whom it sends
 * @param letGo which kept connections it lets go, where the file does not say so itself
 */
public record Rendering(
        long stamp,
        String role,
        @Nullable String site,
        String content,
        String structure,
        String pool,
        List<Member> members,
        LetGo letGo)
        implements RoleFile {
    private static final Pattern MARK =
            Pattern.compile("(?m)^# stamp (\\d{1,18}), structure ([0-9a-f]{8})(?:, role ([a-z]+))?$");
    /** Of a node; an edge sets it too, for servers that were configured when no edge had a variable of its own. */
    public static final String EPOCH_VARIABLE = "retier_epoch";

    private static final Pattern EPOCH = Pattern.compile("(\\d{1,18})(?:-([0-9a-f]{8}))?");

    /** Keeps its own copy of the list. */
    public Rendering {
        members = List.copyOf(members);
    }

    /** The same file of a server that lets these connections go. */
    public Rendering lettingGo(LetGo other) {
        return new Rendering(stamp, role, site, content, structure, pool, members, other);
    }

    /**
     * The variable by which HAProxy and nginx tell that they run it: edges of several sites may be one server.
     *
     * @param role of the file
     * @param site name of its site, null for a spare
     */
    public static String epochVariable(String role, @Nullable String site) {
        return site == null || !role.equals(TemplateFiles.EDGE)
                ? EPOCH_VARIABLE
                : EPOCH_VARIABLE + "_" + site.replaceAll("[^A-Za-z0-9]", "_");
    }

    /** The same of this file. */
    public String epochVariable() {
        return epochVariable(role, site);
    }

    /** What tells a file from all others: in its head, and in the header {@code X-Retier-Epoch} of answers by it. */
    public Mark mark() {
        return new Mark(stamp, structure);
    }

    /** The role that a generated file is for; empty if it does not say so, or was not generated. */
    public static Optional<String> roleOf(String content) {
        Matcher matcher = MARK.matcher(content);
        return matcher.find() ? Optional.ofNullable(matcher.group(3)) : Optional.empty();
    }

    /**
     * Stamp and structure of a file.
     *
     * @param stamp its number
     * @param structure see {@link Rendering}; empty for a server that does not tell it
     */
    public record Mark(long stamp, String structure) {
        /** Of no file. */
        public static final Mark NONE = new Mark(0, "");

        /** The mark in the head of a generated file, or empty if the file was not generated. */
        public static Optional<Mark> ofFile(String content) {
            Matcher matcher = MARK.matcher(content);
            return matcher.find()
                    ? Optional.of(new Mark(Long.parseLong(matcher.group(1)), matcher.group(2)))
                    : Optional.empty();
        }

        /** The mark in the value of the header of an answer, or empty if it is none. */
        public static Optional<Mark> ofHeader(@Nullable String value) {
            Matcher matcher = EPOCH.matcher(value == null ? "" : value);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            String structure = matcher.group(2);
            return Optional.of(new Mark(Long.parseLong(matcher.group(1)), structure == null ? "" : structure));
        }

        /** The line of it in the head of a file for that role. */
        public String line(String role) {
            return "# stamp " + stamp + ", structure " + structure + ", role " + role;
        }

        /** The value of the header. */
        @Override
        public String toString() {
            return structure.isEmpty() ? String.valueOf(stamp) : stamp + "-" + structure;
        }
    }
}
