package dev.retier.agent.status;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The {@code server} blocks of an nginx, from what {@code nginx -T} prints. Stateless. */
public final class NginxServers {
    private static final Pattern FILE = Pattern.compile("(?m)^# configuration file (/[^\\n]+):\\n");
    private static final Pattern PORT = Pattern.compile("(?:^|:)(\\d{1,5})(?:-(\\d{1,5}))?$");
    private static final int USUAL_PORT = 80;

    private NginxServers() {}

    /**
     * One block.
     *
     * @param file in which it is
     * @param begin offset right after the brace that opens it
     * @param end offset of the brace that closes it
     * @param own its directives, each as its words
     * @param within its own, those of blocks within it, and how these begin
     */
    public record Server(Path file, int begin, int end, List<List<String>> own, List<List<String>> within) {
        /** Keeps its own copies. */
        public Server {
            own = List.copyOf(own);
            within = List.copyOf(within);
        }

        /** All that its {@code server_name} says. */
        public List<String> names() {
            return own.stream()
                    .filter(words -> words.getFirst().equals("server_name"))
                    .flatMap(words -> words.stream().skip(1))
                    .toList();
        }

        /** Whether nginx may choose it for that host, in lower case: by a name, a wildcard or an expression. */
        public boolean isNamed(String host) {
            return names().stream().anyMatch(name -> isName(name, host));
        }

        private static boolean isName(String written, String host) {
            String name = written.toLowerCase(Locale.ROOT);
            if (written.startsWith("~")) {
                return isExpression(written.substring(1), host);
            }
            if (name.startsWith(".")) {
                return host.equals(name.substring(1)) || host.endsWith(name);
            }
            return name.equals(host)
                    || (name.startsWith("*.") && host.endsWith(name.substring(1)))
                    || (name.endsWith(".*") && host.startsWith(name.substring(0, name.length() - 1)));
        }

        private static boolean isExpression(String expression, String host) {
            try {
                return Pattern.compile(expression, Pattern.CASE_INSENSITIVE)
                        .matcher(host)
                        .find();
            } catch (PatternSyntaxException e) {
                return false; // nginx's expressions know more than these
            }
        }

        /** Whether it answers all by itself, before any location is looked for. */
        public boolean redirects() {
            return own.stream().anyMatch(words -> words.getFirst().equals("return"));
        }

        /** Whether it takes connections at that port; without a {@code listen}, nginx has it at 80. */
        public boolean isAt(int port) {
            List<List<String>> listens = listens();
            return listens.isEmpty() ? port == USUAL_PORT : listens.stream().anyMatch(words -> isAt(words, port));
        }

        /** Whether it answers at that port who asks for no host that there is. */
        public boolean isDefaultAt(int port) {
            return listens().stream().anyMatch(words -> words.contains("default_server") && isAt(words, port));
        }

        /** At which addresses, as it writes them, it takes connections at that port. */
        public List<String> addresses(int port) {
            return listens().stream()
                    .filter(words -> isAt(words, port))
                    .map(words -> words.get(1))
                    .toList();
        }

        private List<List<String>> listens() {
            return own.stream()
                    .filter(words -> words.size() > 1 && words.getFirst().equals("listen"))
                    .toList();
        }

        private static boolean isAt(List<String> listen, int port) {
            String address = listen.get(1);
            Matcher found = PORT.matcher(address);
            boolean isGiven = found.find();
            int first = isGiven ? Integer.parseInt(found.group(1)) : USUAL_PORT;
            int last = isGiven && found.group(2) != null ? Integer.parseInt(found.group(2)) : first;
            return !address.startsWith("unix:") && first <= port && port <= last;
        }

        /** Whether a directive, or the beginning of a block, in it or in a block within it is so. */
        public boolean has(Predicate<List<String>> what) {
            return within.stream().anyMatch(what);
        }
    }

    /** Whether connections to any address of the machine come there, as an address is written in {@code listen}. */
    public static boolean isWhole(String address) {
        return address.matches("(?:(?:\\*|0\\.0\\.0\\.0):)?\\d+(?:-\\d+)?");
    }

    /** What a file includes, as it is written there. */
    public static List<String> includes(String text) {
        return List.copyOf(new Reader(Path.of("nginx.conf"), text).read().included);
    }

    /** The files that a configuration consists of, in the order in which they are read. */
    public static Map<Path, String> files(String dump) {
        Map<Path, String> files = new LinkedHashMap<>();
        Matcher begin = FILE.matcher(dump);
        Path file = null;
        int from = 0;
        while (begin.find()) {
            if (file != null) {
                files.putIfAbsent(file, dump.substring(from, begin.start()));
            }
            file = Path.of(begin.group(1));
            from = begin.end();
        }
        if (file != null) {
            files.putIfAbsent(file, dump.substring(from));
        }
        return files;
    }

    /** Offset in the text of a file right after the brace that opens its block {@code http}; empty if it has none. */
    public static Optional<Integer> http(String text) {
        return new Reader(Path.of("nginx.conf"), text).read().http.stream().findFirst();
    }

    /** The server blocks in the text of one file. */
    public static List<Server> in(Path file, String text) {
        return List.copyOf(new Reader(file, text).read().servers);
    }

    /** Reads directives and blocks. */
    private static final class Reader {
        private final Path file;
        private final String text;
        private final List<Server> servers = new ArrayList<>();
        private final List<Integer> http = new ArrayList<>();
        private final List<String> included = new ArrayList<>();
        private final Deque<Block> open = new ArrayDeque<>();
        private List<String> words = new ArrayList<>();
        private int at;

        private record Block(List<String> head, int begin, List<List<String>> own, List<List<String>> within) {}

        Reader(Path file, String text) {
            this.file = file;
            this.text = text;
        }

        Reader read() {
            while (at < text.length()) {
                char next = text.charAt(at);
                switch (next) {
                    case ';' -> said();
                    case '{' -> opened();
                    case '}' -> closed();
                    case '#' -> skipLine();
                    default -> word(next);
                }
            }
            return this;
        }

        private void said() {
            tell(true);
            at++;
        }

        /** To the block it is in, and as something within it to those around. */
        private void tell(boolean isDirective) {
            if (!words.isEmpty()) {
                List<String> said = List.copyOf(words);
                if (isDirective && said.size() == 2 && said.getFirst().equals("include")) {
                    included.add(said.getLast());
                }
                if (isDirective && !open.isEmpty()) {
                    open.peek().own.add(said);
                }
                open.forEach(block -> block.within.add(said));
                words = new ArrayList<>();
            }
        }

        private void opened() {
            List<String> head = List.copyOf(words);
            tell(false);
            at++;
            if (head.equals(List.of("http"))) {
                http.add(at);
            }
            open.push(new Block(head, at, new ArrayList<>(), new ArrayList<>()));
        }

        private void closed() {
            words = new ArrayList<>();
            if (!open.isEmpty()) {
                Block block = open.pop();
                boolean isHttp = open.isEmpty() || open.peek().head.equals(List.of("http"));
                if (isHttp && block.head.equals(List.of("server"))) {
                    servers.add(new Server(file, block.begin, at, block.own, block.within));
                }
            }
            at++;
        }

        private void skipLine() {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        }

        private void word(char first) {
            if (Character.isWhitespace(first)) {
                at++;
            } else if (first == '"' || first == '\'') {
                quoted(first);
            } else {
                int from = at;
                while (at < text.length() && isOfWord(text.charAt(at))) {
                    at += isEscape() ? 2 : 1;
                }
                words.add(text.substring(from, Math.min(at, text.length())));
            }
        }

        /** A variable in braces is part of a word. */
        private boolean isOfWord(char next) {
            boolean isOfVariable = next == '{' && at > 0 && text.charAt(at - 1) == '$';
            if (isOfVariable) {
                int end = text.indexOf('}', at);
                at = end < 0 ? text.length() - 1 : end;
                return true;
            }
            return !Character.isWhitespace(next) && next != ';' && next != '{' && next != '}';
        }

        private boolean isEscape() {
            return text.charAt(at) == '\\';
        }

        private void quoted(char quote) {
            int from = at + 1;
            at++;
            while (at < text.length() && text.charAt(at) != quote) {
                at += isEscape() ? 2 : 1;
            }
            words.add(text.substring(from, Math.min(at, text.length())));
            at++;
        }
    }
}
