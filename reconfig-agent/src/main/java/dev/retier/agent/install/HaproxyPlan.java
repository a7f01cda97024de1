package dev.retier.agent.install;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.TemplateFiles;
import dev.retier.agent.server.ServerLook;
import dev.retier.agent.status.HaproxyConfig;
import dev.retier.agent.status.HaproxyConfig.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What HAProxy's configuration lacks for its node, as Debian would have it written: the generated file among those that
 * it is started with, a stats socket for the agent, and a few lines in each front end that is bound to the node's port.
 */
final class HaproxyPlan implements ServerPlan {
    /** It warns of rules for requests and answers that stand after some of these. */
    private static final Set<String> LATER = Set.of(
            "http-request",
            "http-response",
            "http-after-response",
            "redirect",
            "use_backend",
            "default_backend",
            "use-server");

    private static final Pattern OPTIONS = Pattern.compile("(?m)^[ \\t]*EXTRAOPTS=(\"[^\"\\n]*\"|'[^'\\n]*'|[^\\s#]*)");
    /** What Debian's unit has where the file sets nothing. */
    private static final String USUAL_OPTIONS = "-S /run/haproxy-master.sock";

    private final ServerConfig server;
    private final Path config;
    private final Path socket;

    HaproxyPlan(ServerConfig server) {
        this.server = server;
        this.config = server.controlled().config().toAbsolutePath();
        this.socket = Objects.requireNonNull(server.controlled().socket(), "a HAProxy has a stats socket");
    }

    /** A line that a front end needs, and how it is known. */
    private record Needed(String line, Predicate<List<String>> isThere) {
        static Needed rule(String line, String sign) {
            return new Needed(line, words -> words.stream().anyMatch(word -> word.contains(sign)));
        }
    }

    private static final List<Needed> RULES = List.of(
            Needed.rule(
                    "http-after-response set-header X-Retier-Epoch \"%[var(proc.retier_epoch)]\"", "proc.retier_epoch"),
            Needed.rule(
                    "http-request return status 200 content-type text/plain string \"ok\" if { path /.retier/status }",
                    "/.retier/status"),
            new Needed(
                    "http-request deny if { path_beg /.retier/ }",
                    words -> words.contains("path_beg") && words.contains("/.retier/")));

    /** The last one counts. */
    private static final Needed BACK_END = new Needed(
            "default_backend " + TemplateFiles.APPS,
            words -> words.equals(List.of("default_backend", TemplateFiles.APPS)));

    @Override
    public List<Edit> edits() {
        // Debian's, beside /etc/haproxy/haproxy.cfg; where units of other distributions look is not known.
        Path defaults = config.resolveSibling("../default/haproxy").normalize();
        if (!Files.isRegularFile(defaults)) {
            throw refusal(config + " is not laid out as Debian's: start HAProxy with a second \"-f " + server.roleFile()
                    + "\", and write in the front end of port "
                    + server.address().port() + ": " + byHand());
        }
        List<Edit> edits = new ArrayList<>();
        add(edits, defaults, this::withOption);
        add(edits, config, this::withLines);
        return edits;
    }

    @Override
    public void verify() throws IOException, InterruptedException {
        ServerLook.checkHaproxy(server);
    }

    private static void add(List<Edit> edits, Path file, UnaryOperator<String> change) {
        String before = ServerPlan.text(file);
        String after = change.apply(before);
        if (!before.equals(after)) {
            edits.add(new Edit.Text(file, before, after));
        }
    }

    private static String byHand() {
        List<String> lines = new ArrayList<>(RULES.stream().map(Needed::line).toList());
        lines.add(BACK_END.line());
        return String.join("; ", lines);
    }

    /** Of several assignments systemd takes the last. */
    private String withOption(String text) {
        String option = "-f " + server.roleFile();
        String value = USUAL_OPTIONS;
        Matcher assignment = OPTIONS.matcher(text);
        while (assignment.find()) {
            value = assignment.group(1).replaceAll("^[\"']|[\"']$", "");
        }
        if ((value + " ").contains(option + " ")) {
            return text;
        }
        return (text.isEmpty() || text.endsWith("\n") ? text : text + "\n")
                + marked("", "EXTRAOPTS=\"" + (value + " " + option).strip() + "\"");
    }

    private String withLines(String text) {
        List<Section> sections = HaproxyConfig.sections(text);
        List<Section> front = sections.stream()
                .filter(section -> section.isBoundTo(server.address().port()))
                .toList();
        if (front.isEmpty()) {
            throw refusal(config + ": no front end is bound to port "
                    + server.address().port() + ", at which the cluster file has the node; write one: bind :"
                    + server.address().port());
        }
        // By the line before which they go, from the last to the first, so that lines keep their numbers.
        TreeMap<Integer, String> added = new TreeMap<>(Comparator.reverseOrder());
        for (Section section : front) {
            String rules = lacking(RULES, section);
            if (!rules.isEmpty()) {
                added.merge(firstLater(section), rules, String::concat);
            }
            List<List<String>> choices = section.lines().stream()
                    .filter(words -> !words.isEmpty() && words.getFirst().equals("default_backend"))
                    .toList();
            if (choices.isEmpty() || !BACK_END.isThere().test(choices.getLast())) {
                added.merge(section.end(), marked("\t", BACK_END.line()), String::concat);
            }
        }
        socketLine(sections)
                .ifPresent(place -> added.merge(
                        place, marked("\t", "stats socket " + socket + " mode 660 level admin"), String::concat));
        List<String> lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
        if (!text.endsWith("\n")) {
            lines.set(lines.size() - 1, lines.getLast() + "\n");
        }
        added.forEach((place, what) -> lines.add(place, what));
        return String.join("", lines);
    }

    private static String lacking(List<Needed> needed, Section section) {
        StringBuilder lines = new StringBuilder();
        needed.stream()
                .filter(one -> section.lines().stream().noneMatch(one.isThere()))
                .forEach(one -> lines.append(marked("\t", one.line())));
        return lines.toString();
    }

    private static int firstLater(Section section) {
        for (int at = 1; at < section.lines().size(); at++) {
            List<String> words = section.lines().get(at);
            if (!words.isEmpty() && LATER.contains(words.getFirst())) {
                return section.start() + at;
            }
        }
        return section.end();
    }

    /** The line before which the socket goes; empty if it is there. */
    private Optional<Integer> socketLine(List<Section> sections) {
        var level = HaproxyConfig.level(sections, socket.toString());
        if (level.isPresent() && !level.get().equals("admin")) {
            throw refusal(config + ": the stats socket " + socket + " is at level " + level.get()
                    + "; write there: level admin");
        }
        if (level.isPresent()) {
            return Optional.empty();
        }
        return Optional.of(sections.stream()
                .filter(section -> section.keyword().equals("global"))
                .findFirst()
                .orElseThrow(() -> refusal(config + " has no section global, in which the stats socket would stand"))
                .end());
    }

    private static String marked(String indentation, String line) {
        return indentation + MARK + "\n" + indentation + line + "\n";
    }

    private static ReconfigException refusal(String message) {
        return new ReconfigException(ReconfigException.Category.FATAL, message);
    }
}
