package dev.retier.cli.load;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigReader;
import dev.retier.config.ConfigValue;
import dev.retier.config.IoReason;
import dev.retier.config.Problems;
import dev.retier.load.LoadException;
import dev.retier.traces.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A scenario file (YAML or JSON): a list {@code sites}, each with options of a site as keys, without dashes; options at
 * the top are those of the whole run, or hold for every site that does not say otherwise.
 *
 * @param run options of the whole run
 * @param sites the sites' own options, with those of the top under them; at least one
 */
record Scenario(OptionSet run, List<Site> sites) {
    private static final String SITES = "sites";
    private static final int MAX_SITES = 64;

    /** What people write first, and its key. */
    private static final Map<String, String> MEANT = Map.of(
            "name", "site",
            "url", "target (and path)",
            "targets", "target",
            "agents", "agent",
            "headers", "header",
            "concurrency", "clients");

    /**
     * One site of the file.
     *
     * @param line where it begins
     * @param options of the site
     */
    record Site(int line, OptionSet options) {}

    /**
     * Reads a file.
     *
     * @throws CommandFailure with every problem at once, each with its line; unknown keys are problems
     */
    static Scenario read(Path file) {
        Problems problems = new Problems(file.toString());
        try {
            ConfigValue root = ConfigReader.yaml(Files.readString(file), problems);
            Scenario scenario = root instanceof ConfigValue.Mapping mapping ? new Reader(problems).read(mapping) : null;
            if (root != null && scenario == null) {
                problems.add(root.line(), "", "expected keys with values, such as sites:");
            }
            if (scenario == null || !problems.isEmpty()) {
                throw problems.toException();
            }
            return scenario;
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "scenario " + file + ": cannot be read (" + IoReason.of(e) + "); name another", e);
        }
    }

    /**
     * What {@code build} makes of each site; every problem of every site at once.
     *
     * @param file for messages
     * @param over options of the command line, which count more than the file's
     */
    List<SiteLoad> loads(Path file, OptionSet over, Function<OptionSet, SiteLoad> build) {
        Problems problems = new Problems(file.toString());
        List<SiteLoad> loads = new ArrayList<>();
        for (Site site : sites) {
            try {
                loads.add(build.apply(site.options().under(over)));
            } catch (IllegalArgumentException | LoadException | TraceException e) {
                problems.add(site.line(), SITES, String.valueOf(e.getMessage()));
            } catch (ParameterException e) {
                problems.add(site.line(), SITES, String.valueOf(e.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.CONFIG, String.valueOf(problems.toException().getMessage()));
        }
        return loads;
    }

    private static final class Reader {
        private final Problems problems;
        private final CommandLine siteOptions = OptionSet.siteParser();
        private final CommandLine runOptions = OptionSet.runParser();

        Reader(Problems problems) {
            this.problems = problems;
        }

        Scenario read(ConfigValue.Mapping root) {
            Map<String, List<String>> run = new LinkedHashMap<>();
            Map<String, List<String>> common = new LinkedHashMap<>();
            List<Site> sites = new ArrayList<>();
            root.entries().forEach((key, value) -> {
                if (key.equals(SITES)) {
                    sites.addAll(sites(value));
                } else if (option(runOptions, key) != null) {
                    put(run, runOptions, key, value, key);
                } else {
                    put(common, siteOptions, key, value, key);
                }
            });
            if (!root.entries().containsKey(SITES)) {
                problems.add(root.line(), SITES, "missing; add a list with at least one site");
            }
            OptionSet all = new OptionSet(common);
            return new Scenario(
                    new OptionSet(run),
                    sites.stream()
                            .map(site -> new Site(site.line(), all.under(site.options())))
                            .toList());
        }

        private List<Site> sites(ConfigValue value) {
            if (!(value instanceof ConfigValue.Items(List<ConfigValue> items, int line))
                    || items.isEmpty()
                    || items.size() > MAX_SITES) {
                problems.add(value.line(), SITES, "write a list of 1 to " + MAX_SITES + " sites");
                return List.of();
            }
            List<Site> sites = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                sites.add(site(items.get(i), SITES + "[" + i + "]"));
            }
            Map<String, Long> names = new LinkedHashMap<>();
            sites.forEach(site -> names.merge(site.options().first("site"), 1L, Long::sum));
            names.forEach((name, count) -> {
                if (count > 1) {
                    problems.add(line, SITES, "site '" + name + "' appears twice; give each site a name of its own");
                }
            });
            return sites;
        }

        private Site site(ConfigValue value, String path) {
            Map<String, List<String>> options = new LinkedHashMap<>();
            if (value instanceof ConfigValue.Mapping(Map<String, ConfigValue> entries, int _)) {
                entries.forEach((key, entry) -> put(options, siteOptions, key, entry, path + "." + key));
            } else {
                problems.add(value.line(), path, "expected keys with values, such as site: shop");
            }
            if (!options.containsKey("site")) {
                problems.add(value.line(), path + ".site", "missing; give the site a name");
            }
            return new Site(value.line(), new OptionSet(options));
        }

        /** Tries the option alone, so that each problem is found and gets its own line. */
        private void put(
                Map<String, List<String>> into, CommandLine parser, String key, ConfigValue value, String path) {
            if (option(parser, key) == null) {
                problems.add(value.line(), path, "unknown key; " + known(parser, key));
                return;
            }
            List<String> texts = texts(value);
            if (texts.isEmpty()) {
                problems.add(value.line(), path, "write a value, or a list of values");
                return;
            }
            try {
                OptionSet single = new OptionSet(Map.of(key, texts));
                single.parse(parser);
                into.put(key, texts);
            } catch (ParameterException e) {
                problems.add(value.line(), path, String.valueOf(e.getMessage()));
            }
        }

        private static List<String> texts(ConfigValue value) {
            return switch (value) {
                case ConfigValue.Scalar(String text, ConfigValue.ScalarType _, int _) ->
                    text.isEmpty() ? List.of() : List.of(text);
                case ConfigValue.Items(List<ConfigValue> items, int _) ->
                    items.stream().flatMap(item -> texts(item).stream()).toList();
                case ConfigValue.Mapping _ -> List.of();
            };
        }

        private static OptionSpec option(CommandLine parser, String key) {
            return parser.getCommandSpec().findOption("--" + key);
        }

        private static String known(CommandLine parser, String key) {
            String meant = MEANT.get(key);
            if (meant != null) {
                return "did you mean " + meant + "?";
            }
            List<String> like = new ArrayList<>();
            try {
                parser.parseArgs("--" + key);
            } catch (UnmatchedArgumentException e) {
                e.getSuggestions().forEach(option -> like.add(option.substring(2)));
            } catch (ParameterException e) {
                return String.valueOf(e.getMessage());
            }
            return like.isEmpty()
                    ? "remove it or use one of " + keys(parser)
                    : "did you mean " + String.join(" or ", like) + "?";
        }

        private static String keys(CommandLine parser) {
            Stream<String> names = parser.getCommandSpec().options().stream()
                    .map(option -> option.longestName().substring(2))
                    .sorted();
            return String.join(", ", names.toList());
        }
    }
}
