package dev.retier.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lists the options of a command that has many in parts, each under a heading. Stateless. */
final class HelpSections {
    private static final Map<Class<?>, String> HEADINGS = Map.ofEntries(
            Map.entry(SiteOptions.class, "The site, and where its requests go"),
            Map.entry(TraceOptions.class, "What is asked for: a recorded trace"),
            Map.entry(MadeTraceOptions.class, "What is asked for: a made trace"),
            Map.entry(ShapeOptions.class, "What is made of the trace first"),
            Map.entry(PaceOptions.class, "When requests are sent"),
            Map.entry(ConnectionOptions.class, "How, and for how long"),
            Map.entry(StreamOptions.class, "Streams that are held open"),
            Map.entry(RunOptions.class, "The start"),
            Map.entry(ResultOptions.class, "The result"),
            Map.entry(SimulatedLoadOptions.class, "The load"),
            Map.entry(WritingOptions.class, "What is written"));

    private HelpSections() {}

    /** Gives {@code command} and all below it such a list. */
    static void install(CommandLine command) {
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpSections::render);
        command.getSubcommands().values().forEach(HelpSections::install);
    }

    private static String render(Help help) {
        Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
        collect(help.commandSpec(), "", sections);
        if (sections.size() < 2) {
            return help.optionList();
        }
        StringBuilder text = new StringBuilder();
        List<OptionSpec> others = sections.getOrDefault("", List.of());
        sections.forEach((heading, options) -> text.append(heading.isEmpty() ? "" : section(help, heading, options)));
        return text + section(help, "Other options", others);
    }

    /** Options of a mixin without a heading of its own stand under that of the one it belongs to. */
    private static void collect(CommandSpec spec, String above, Map<String, List<OptionSpec>> sections) {
        Object owner = spec.userObject();
        String heading = owner == null ? above : HEADINGS.getOrDefault(owner.getClass(), above);
        List<OptionSpec> own = new ArrayList<>(spec.options());
        spec.mixins().values().forEach(mixin -> own.removeAll(mixin.options()));
        sections.computeIfAbsent(heading, _ -> new ArrayList<>()).addAll(own);
        spec.mixins().values().forEach(mixin -> collect(mixin, heading, sections));
    }

    private static String section(Help help, String heading, List<OptionSpec> options) {
        if (options.isEmpty()) {
            return "";
        }
        Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
        layout.addOptions(options, help.parameterLabelRenderer());
        return System.lineSeparator() + heading + ":" + System.lineSeparator() + layout;
    }
}
