package dev.retier.bench.all;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A record as it says of itself what it is of.
 *
 * @param name of its file, without {@code .md}
 * @param arguments of {@code ./retier bench} that made it, the measurement first; not empty
 * @param commit of the checkout that made it; null where it names none
 * @param isDirty whether files differed from that commit
 */
record KnownRecord(
        String name, List<String> arguments, @Nullable String commit, boolean isDirty) {
    /** The line below the title: the command and when it was run. What was put together by hand reads otherwise. */
    private static final Pattern COMMAND = Pattern.compile("^`\\./retier bench ([^`]+)`, \\S+$", Pattern.MULTILINE);

    private static final Pattern COMMIT =
            Pattern.compile("^\\| commit \\| ([0-9a-f]{7,40})(\\+?) \\|$", Pattern.MULTILINE);
    private static final String TEXT = ".md";
    private static final Pattern WORD_END = Pattern.compile(" +");

    /** Keeps its own copy. */
    KnownRecord {
        arguments = List.copyOf(arguments);
    }

    /** What {@code text} says; empty for a file that no single measurement made. */
    static Optional<KnownRecord> parse(String name, String text) {
        Matcher command = COMMAND.matcher(text);
        if (!command.find()) {
            return Optional.empty();
        }
        List<String> arguments = List.of(WORD_END.split(command.group(1).strip()));
        Matcher commit = COMMIT.matcher(text);
        boolean isNamed = commit.find();
        return Optional.of(new KnownRecord(
                name,
                arguments,
                isNamed ? commit.group(1) : null,
                isNamed && !commit.group(2).isEmpty()));
    }

    /** A measurement that was never recorded, with what it does unless told otherwise. */
    static KnownRecord missing(String measurement) {
        return new KnownRecord(measurement, List.of(measurement), null, false);
    }

    /** The sub-command of {@code bench}. */
    String measurement() {
        return arguments.getFirst();
    }

    /** What is to be run to make it anew, with the result in {@code directory}. */
    List<String> commandInto(String directory) {
        List<String> words = new ArrayList<>(arguments);
        words.add("--record=" + directory);
        return words;
    }

    /** Of the modules that its measurement runs, the one that {@code --module} names, or all. */
    List<String> modulesAmong(List<String> modules) {
        int option = arguments.indexOf("--module");
        return option >= 0 && option + 1 < arguments.size() ? List.of(arguments.get(option + 1)) : modules;
    }

    /** Where a file that its command made belongs: of a single text, and its page, the name is this record's. */
    String fileFor(String made, List<String> allMade) {
        boolean isSingle = allMade.stream().filter(file -> file.endsWith(TEXT)).count() == 1;
        return isSingle ? name + made.substring(made.lastIndexOf('.')) : made;
    }
}
