package dev.retier.agent.status;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What httpd says of its configuration on disk with {@code -t -D DUMP_INCLUDES -D DUMP_MODULES -D DUMP_RUN_CFG}, and
 * what follows for a graceful restart. Stateless.
 */
public final class HttpdConfig {
    private static final Pattern INCLUDED = Pattern.compile("^\\s*\\((?:\\*|\\d+)\\)\\s+(/.*)$");
    private static final Pattern MODULE = Pattern.compile("^\\s*([a-z0-9_]+)_module \\((?:static|shared)\\)$");
    private static final Pattern DEFINED = Pattern.compile("^Define: ([^=]+?)(?:=.*)?$");
    private static final Pattern ROOT = Pattern.compile("^ServerRoot: \"(.*)\"$");
    private static final Pattern LISTEN =
            Pattern.compile("(?i)^\\s*Listen\\s+\"?(?:\\[?[^\\s\"]*]?:)?(\\d{1,5})\"?(?:\\s.*)?$");
    private static final Pattern OPEN = Pattern.compile("(?i)^\\s*<(If\\w+)\\s+\"?(!?)([^>\"]*?)\"?\\s*>.*$");
    private static final Pattern CLOSE = Pattern.compile("(?i)^\\s*</If\\w+>.*$");

    private HttpdConfig() {}

    /** The files that the configuration consists of. */
    public static List<String> files(String dump) {
        return find(dump, INCLUDED).distinct().toList();
    }

    /** The name of the MPM that the configuration loads, as the status page calls it; empty if none is found. */
    public static String mpm(String dump) {
        return find(dump, MODULE)
                .filter(name -> name.startsWith("mpm_"))
                .map(name -> name.substring("mpm_".length()))
                .findFirst()
                .orElse("");
    }

    /** Whether it loads that module, such as {@code rewrite}. */
    public static boolean loads(String dump, String module) {
        return find(dump, MODULE).anyMatch(module::equals);
    }

    /** The folder that names of files are relative to; empty if none is found. */
    public static String root(String dump) {
        return find(dump, ROOT).findFirst().orElse("");
    }

    /**
     * The ports of the {@code Listen} lines of one file that are in force: not those in a section for a module that is
     * not loaded or a name that is not defined.
     */
    public static List<Integer> ports(String file, String dump) {
        Set<String> modules = find(dump, MODULE).collect(Collectors.toSet());
        Set<String> defined = find(dump, DEFINED).collect(Collectors.toSet());
        Deque<Boolean> sections = new ArrayDeque<>();
        List<Integer> ports = new java.util.ArrayList<>();
        file.lines().forEach(line -> {
            Matcher open = OPEN.matcher(line);
            Matcher listen = LISTEN.matcher(line);
            if (CLOSE.matcher(line).matches()) {
                sections.poll();
            } else if (open.matches()) {
                boolean isThere = isThere(open.group(1), open.group(3), modules, defined);
                sections.push(isThere != open.group(2).equals("!"));
            } else if (listen.matches() && !sections.contains(false)) {
                ports.add(Integer.valueOf(listen.group(1)));
            }
        });
        return List.copyOf(ports);
    }

    /** Sections of other kinds may be in force, so what is in them counts. */
    private static boolean isThere(String kind, String name, Set<String> modules, Set<String> defined) {
        if (kind.equalsIgnoreCase("IfDefine")) {
            return defined.contains(name);
        }
        if (!kind.equalsIgnoreCase("IfModule")) {
            return true;
        }
        String bare = name.replaceAll("^mod_|\\.c$|_module$", "");
        return modules.contains(bare);
    }

    private static Stream<String> find(String text, Pattern pattern) {
        return Arrays.stream(text.split("\\R", -1))
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1).strip());
    }
}
