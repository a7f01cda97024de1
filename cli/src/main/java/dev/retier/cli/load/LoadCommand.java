package dev.retier.cli.load;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.load.LoadException;
import dev.retier.traces.TraceException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code retier load}. */
@Command(
        name = "load",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "Send recorded or made traces to one site or several, and say what came back.",
        subcommands = {LoadMergeCommand.class, LoadCompareCommand.class},
        footer = {
            "",
            "Examples:",
            "  retier load http://127.0.0.1:8080/index.html -c 50 -d 10s",
            "  retier load http://127.0.0.1:8080 --make mix --rate 500 -d 30s --report page.html --fail-if 'p99>50ms'",
            "  retier load --agent http://127.0.0.1:18201 --trace wc_day66_1.gz --peak 400 --place uniform",
            "  retier load --scenario two-sites.yaml -d 2m --report page.html",
            "  retier load http://127.0.0.1:8080/events --hold 30s --rate 20 -d 2m --fail-if 'ended>0'",
            "  retier load ws://127.0.0.1:8080/chat -c 1000 -d 1m --send hello --send-every 5s",
            "  retier load http://web:8080 --rate 5000 -d 1m --start-at 2026-01-31T12:00:00Z --json one.json",
            "",
            "A closed loop (the default) shows what a server can do; an open loop (--rate, --speed, --peak) shows what"
                    + " its users would wait. HTTP/1.1 is spoken, and WebSockets over it; HTTP/2 and 3 are"
                    + " not. SIGINT ends the run with the report so far. Exit codes: 0 done, 1 failed,"
                    + " 7 a --fail-if condition was met, 64 wrong command line, 78 wrong scenario file, 130 ended by"
                    + " SIGINT (143: SIGTERM)."
        })
public final class LoadCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "The server, and what to ask for: its path, again and again, unless a trace says otherwise.")
    private @Nullable String url;

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description =
                    "Several sites, from a YAML or JSON file: a list 'sites', each with the options below as keys;"
                            + " options beside the list hold for all sites. Options given here count more.")
    private @Nullable Path scenario;

    @Mixin
    private SiteOptions site = new SiteOptions();

    @Mixin
    private RunOptions run = new RunOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, IOException {
        try {
            RunOptions options = scenario == null ? run : runOptions(scenario);
            List<SiteLoad> sites = scenario == null ? List.of(single()) : several(scenario);
            options.results().requireWritable();
            return new LoadSession(spec, options).run(sites).code();
        } catch (LoadException | TraceException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private SiteLoad single() {
        if (url != null) {
            site.url(uri(url));
        }
        return site.load();
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no http://host[:port]/path, as in http://127.0.0.1:8080/", e);
        }
    }

    private List<SiteLoad> several(Path file) {
        if (url != null) {
            throw new IllegalArgumentException("a URL and --scenario exclude each other: sites say their own targets");
        }
        OptionSet given = OptionSet.matched(parsed(), OptionSet.siteParser());
        return Scenario.read(file).loads(file, given, set -> set.site().load());
    }

    private RunOptions runOptions(Path file) {
        OptionSet given = OptionSet.matched(parsed(), OptionSet.runParser());
        return Scenario.read(file).run().under(given).run();
    }

    private ParseResult parsed() {
        return spec.commandLine().getParseResult();
    }
}
