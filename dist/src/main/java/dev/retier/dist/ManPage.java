package dev.retier.dist;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of all commands, as roff (man(7)), from the commands themselves. Stateless. */
final class ManPage {
    private static final String END = """
            .SH FILES
            .TP
            .I /etc/retier/cluster.yaml
            The cluster file; without it the agent does not start. Examples: /usr/share/doc/retier/examples.
            .TP
            .I /etc/retier/secret
            The secret of the cell; see retier secret new.
            .TP
            .I /etc/default/retier
            Which node this machine is.
            .TP
            .I /var/lib/retier
            Journals and control sockets.
            .TP
            .I /var/cache/retier/retier.aot
            Classes as the virtual machine wants them; /usr/lib/retier/bin/make-cache makes it anew.
            .SH ENVIRONMENT
            .TP
            .B RETIER_JAVA_OPTIONS
            More options for the virtual machine.
            .SH "EXIT STATUS"
            0 done; 1 failed; 2 something would be done; 3 refused by a rail; 4 the move lock was not to be had;
            5 rolled back; 6 no end was seen in time; 7 a condition of load was met; 64 the command line is wrong;
            78 a configuration file is wrong, or asks for a transport that is not here; 130 load was interrupted.
            """;

    private ManPage() {}

    static String of(CommandLine retier, String version, Instant time) {
        StringBuilder page = new StringBuilder();
        page.append(".TH RETIER 1 ")
                .append(time.atOffset(ZoneOffset.UTC).toLocalDate())
                .append(" \"retier ")
                .append(version)
                .append("\" \"User Commands\"\n");
        page.append(".SH NAME\nretier \\- ")
                .append(escaped(
                        String.join(" ", retier.getCommandSpec().usageMessage().description())))
                .append("\n.SH SYNOPSIS\n.B retier\n.I COMMAND\n[\\fIOPTION\\fR...]\n.SH COMMANDS\n");
        commands(retier, page);
        return page.append(END).toString();
    }

    private static void commands(CommandLine above, StringBuilder page) {
        for (CommandLine command : above.getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            if (!spec.usageMessage().hidden()) {
                command(spec, page);
                commands(command, page);
            }
        }
    }

    private static void command(CommandSpec spec, StringBuilder page) {
        page.append(".SS \"").append(escaped(spec.qualifiedName())).append("\"\n");
        lines(spec.usageMessage().description(), page);
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            page.append(".TP\n.I ").append(escaped(parameter.paramLabel())).append('\n');
            lines(described(parameter), page);
        }
        for (OptionSpec option : spec.options()) {
            if (!option.hidden() && !option.inherited()) {
                page.append(".TP\n.B ").append(escaped(names(option))).append('\n');
                lines(described(option), page);
            }
        }
        if (spec.usageMessage().footer().length > 0) {
            page.append(".PP\n");
            lines(spec.usageMessage().footer(), page);
        }
    }

    private static String names(OptionSpec option) {
        List<String> names = new ArrayList<>(List.of(option.names()));
        String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
        names.set(names.size() - 1, names.getLast() + value);
        return String.join(", ", names);
    }

    /** With the variables that picocli fills in. */
    private static String[] described(ArgSpec argument) {
        List<String> candidates = new ArrayList<>();
        if (argument.completionCandidates() != null) {
            argument.completionCandidates().forEach(candidates::add);
        }
        return Arrays.stream(argument.description())
                .map(line -> line.replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValueString()))
                        .replace("${COMPLETION-CANDIDATES}", String.join(", ", candidates)))
                .toArray(String[]::new);
    }

    private static void lines(String[] lines, StringBuilder page) {
        for (String line : lines) {
            page.append(escaped(line)).append('\n');
        }
    }

    /** Minus signs stay such, and no word at the beginning of a line is taken for a request. */
    private static String escaped(String text) {
        String safe =
                text.replace("%n", " ").replace("%%", "%").replace("\\", "\\e").replace("-", "\\-");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
