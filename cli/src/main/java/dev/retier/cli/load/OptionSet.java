package dev.retier.cli.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Options with their values, wherever they were given: a file's keys are the options of the command line.
 *
 * @param values by long name without dashes; a flag has the value {@code true}
 */
record OptionSet(Map<String, List<String>> values) {
    /** Copies the map, keeping its order. */
    OptionSet {
        values = new LinkedHashMap<>(values);
    }

    @Command
    static final class SiteHolder {
        @Mixin
        private SiteOptions site = new SiteOptions();
    }

    @Command
    static final class RunHolder {
        @Mixin
        private RunOptions run = new RunOptions();
    }

    static CommandLine siteParser() {
        return new CommandLine(new SiteHolder()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    static CommandLine runParser() {
        return new CommandLine(new RunHolder()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** Those of {@code parsed} that {@code parser} knows. */
    static OptionSet matched(ParseResult parsed, CommandLine parser) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (OptionSpec option : parsed.matchedOptions()) {
            if (parser.getCommandSpec().findOption(option.longestName()) != null) {
                List<String> texts = option.originalStringValues();
                given.put(option.longestName().substring(2), texts.isEmpty() ? List.of("true") : texts);
            }
        }
        return new OptionSet(given);
    }

    /** The first value of a key; empty text when it is not there. */
    String first(String key) {
        List<String> found = values.getOrDefault(key, List.of());
        return found.isEmpty() ? "" : found.getFirst();
    }

    /** These, and {@code over} in the place of those that both have. */
    OptionSet under(OptionSet over) {
        Map<String, List<String>> all = new LinkedHashMap<>(values);
        all.putAll(over.values);
        return new OptionSet(all);
    }

    /** Gives them to {@code parser}; {@link CommandLine.ParameterException} says what does not fit. */
    ParseResult parse(CommandLine parser) {
        List<String> arguments = new ArrayList<>();
        values.forEach((key, texts) -> texts.forEach(text -> arguments.add("--" + key + "=" + text)));
        return parser.parseArgs(arguments.toArray(String[]::new));
    }

    /** These as options of a site. */
    SiteOptions site() {
        CommandLine parser = siteParser();
        parse(parser);
        return ((SiteHolder) holder(parser)).site;
    }

    /** These as options of a run. */
    RunOptions run() {
        CommandLine parser = runParser();
        parse(parser);
        return ((RunHolder) holder(parser)).run;
    }

    private static Object holder(CommandLine parser) {
        CommandSpec spec = parser.getCommandSpec();
        return spec.userObject();
    }
}
