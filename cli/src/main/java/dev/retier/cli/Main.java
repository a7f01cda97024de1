package dev.retier.cli;

import dev.retier.cli.options.NumberConverter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The launcher's entry: parses the command line, runs the sub-command, and turns failures into one line each. */
public final class Main {
    /** What the launcher of a checkout does by itself. */
    private static final String[] CHECKOUT_FOOTER = {
        "", "`./retier test` builds everything and runs all tests; `./retier bench` measures; `./retier dist` packs."
    };

    private Main() {}

    /** Runs one command and ends the process with its exit code (see docs/ARCHITECTURE.md). */
    public static void main(String... arguments) {
        int code = ExitCode.FAILED.code();
        try {
            code = run(arguments);
        } finally {
            TerminationSignal.ended(code);
        }
        System.exit(code);
    }

    /** Runs one command in this process and returns its exit code. Never throws. */
    public static int run(String... arguments) {
        CommandLine main = commandLine();
        int code = main.execute(arguments);
        if (main.getOut().checkError() && code == ExitCode.OK.code()) {
            main.getErr().println("retier: standard output could not be written to its end");
            main.getErr().flush();
            return ExitCode.FAILED.code();
        }
        return code;
    }

    /** The parser with all sub-commands and the handlers of failures; tests give it writers of their own. */
    public static CommandLine commandLine() {
        RetierCommand retier = new RetierCommand();
        CommandLine main = new CommandLine(retier);
        ToolCommands.addTo(main);
        if (Files.exists(Path.of(System.getProperty("retier.root", ""), "pom.xml"))) {
            main.getCommandSpec().usageMessage().footer(CHECKOUT_FOOTER);
        }
        main.setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Double.class, new NumberConverter())
                .registerConverter(double.class, new NumberConverter())
                .setExpandAtFiles(false) // --body @FILE means the file, not arguments that stand in it
                .setExecutionStrategy(parsed -> {
                    Logging.format(retier.logFormat());
                    if (retier.debug()) {
                        Logging.debug();
                    }
                    main.setOut(PlainOutput.of(main.getOut())).setErr(PlainOutput.of(main.getErr()));
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler(Main::usageFailure)
                .setExecutionExceptionHandler((failure, commandLine, _) -> failure(retier, failure, commandLine));
        HelpSections.install(main);
        return main;
    }

    private static int usageFailure(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("retier: " + explained(failure));
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE.code();
    }

    private static String explained(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return oneLine(String.valueOf(failure.getMessage()));
        }
        boolean hasCommands = !failure.getCommandLine().getSubcommands().isEmpty();
        String what = unmatched.isUnknownOption() ? "option" : hasCommands ? "command" : "argument";
        List<String> like = unmatched.getSuggestions();
        return "no " + what + " '" + unmatched.getUnmatched().getFirst() + "'"
                + (like.isEmpty() ? "" : "; did you mean " + String.join(" or ", like) + "?");
    }

    private static int failure(RetierCommand retier, Exception failure, CommandLine commandLine) {
        ExitCode exitCode = failure instanceof CommandFailure known ? known.exitCode() : ExitCode.FAILED;
        String message = failure.getMessage();
        List<String> lines;
        if (failure instanceof InterruptedException) {
            lines = List.of("stopped before the end; what it had started is closed");
        } else if (failure instanceof CommandFailure && message != null) {
            lines = message.lines().toList();
        } else {
            lines = List.of(message == null ? failure.toString() : oneLine(message));
        }
        Logging.failed(commandLine.getErr(), lines, retier.debug() ? Optional.of(failure) : Optional.empty());
        return exitCode.code();
    }

    private static String oneLine(String message) {
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
    }
}
