package dev.retier.cli.options;

import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The {@code -o} option of every command that prints a result. */
public final class OutputOption {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "How to print the result: table, json or csv (default: table).")
    private OutputFormat format = OutputFormat.TABLE;

    /** How to print the result. */
    public OutputFormat format() {
        return format;
    }

    /** Prints {@code table} in that form on the standard output of the command {@code spec}. */
    public void print(CommandSpec spec, Table table) {
        spec.commandLine().getOut().print(table.format(format));
        spec.commandLine().getOut().flush();
    }
}
