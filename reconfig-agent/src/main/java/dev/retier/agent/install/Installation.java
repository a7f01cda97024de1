package dev.retier.agent.install;

import dev.retier.agent.Agent;
import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.command.TextDiff;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ServerConfig;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a server of the operator's lacks for its node, and takes it out again. What was there before is kept
 * beside the node's journal, so that removing restores the bytes. Not for two at a time.
 */
public final class Installation {
    private final AgentConfig config;
    private final ServerConfig server;
    private final Path kept;

    /** For one of the servers of that node. */
    public Installation(AgentConfig config, ServerConfig server) {
        this.config = config;
        this.server = server;
        this.kept =
                config.journalDirectory().resolve("installed-" + server.kind().word() + ".json");
    }

    /**
     * What {@link #install} would change; empty when nothing is lacking.
     *
     * @throws ReconfigException when it cannot be found out; the message says what to do by hand
     */
    public List<Edit> plan() throws InterruptedException {
        return serverPlan().edits();
    }

    /** What an operator has to do by hand, line by line; empty where {@link #install} does all. */
    public List<String> advice() {
        return serverPlan().advice();
    }

    private ServerPlan serverPlan() {
        return switch (server.kind()) {
            case HTTPD -> new HttpdPlan(config.cluster(), server);
            case HAPROXY -> new HaproxyPlan(server);
            case NGINX -> new NginxPlan(config.cluster(), server);
            case OTHER -> new OtherPlan(server);
            case WEB_NODE ->
                throw new ReconfigException(
                        ReconfigException.Category.FATAL,
                        "a web-node follows its role file by itself: there is nothing to install");
        };
    }

    /** The difference as people read it. */
    public static List<String> shown(Edit edit) {
        List<String> lines = new ArrayList<>();
        switch (edit) {
            case Edit.Link(Path file, String target) -> lines.add("+ " + file + " -> " + target);
            case Edit.Text(Path file, String before, String after) -> {
                lines.add((before == null ? "+ " : "~ ") + file);
                TextDiff.of(before == null ? "" : before, after).stream()
                        .filter(line -> !line.startsWith(" "))
                        .forEach(line -> lines.add("    " + line));
            }
        }
        return lines;
    }

    /**
     * Makes all edits and the first generated file, and has the server's checker read the whole. When it refuses, all
     * is as it was.
     *
     * @param owner who is to own the folder of the generated file, because the agent runs as that; null for nobody else
     * @throws ReconfigException when something cannot be written or is refused
     */
    public void install(List<Edit> edits, @Nullable String owner) throws InterruptedException {
        Path generated = server.roleFile();
        boolean isFirst = !Files.exists(generated);
        try {
            List<Edit> before = Kept.read(kept);
            List<Edit> all = new ArrayList<>(before);
            all.addAll(edits);
            Kept.write(kept, all);
            try {
                for (Edit edit : edits) {
                    make(edit);
                }
                Agent.writeFirstRoleFile(config, server);
                own(owner);
                serverPlan().verify();
            } catch (IOException | RuntimeException | InterruptedException e) {
                // What was not made yet is as it was, which taking back leaves so.
                takeBack(edits, _ -> {});
                if (isFirst) {
                    deleteGenerated();
                }
                Kept.write(kept, before);
                throw e;
            }
        } catch (IOException | ReconfigException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "not installed (" + e.getMessage()
                            + (e instanceof AccessDeniedException ? ": permission denied; run it as root" : "") + "); "
                            + (isLeft(edits)
                                    ? kept + " knows what is left to put back:" + " retier install --remove"
                                    : "all is as it was"),
                    e);
        }
    }

    /** Whether anything of these edits still stands. */
    private static boolean isLeft(List<Edit> edits) {
        return edits.stream().anyMatch(edit -> switch (edit) {
            case Edit.Link(Path file, String _) -> Files.isSymbolicLink(file);
            case Edit.Text(Path file, String before, String _) -> !isText(file, before);
        });
    }

    private static boolean isText(Path file, @Nullable String text) {
        try {
            return text == null ? !Files.exists(file) : OperatorBytes.read(file).equals(text);
        } catch (IOException e) {
            return false;
        }
    }

    private static void make(Edit edit) throws IOException {
        switch (edit) {
            case Edit.Link(Path file, String target) -> Files.createSymbolicLink(file, Path.of(target));
            case Edit.Text(Path file, String _, String after) -> OperatorBytes.replace(file, after);
        }
    }

    private void own(@Nullable String owner) throws IOException {
        Path folder = AtomicFile.parent(server.roleFile());
        if (owner == null) {
            return;
        }
        UserPrincipal principal;
        try {
            principal = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner);
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException("there is no user " + owner, e);
        }
        List<Path> files = new ArrayList<>(List.of(folder, config.journalDirectory()));
        files.addAll(generated());
        for (Path file : files) {
            Files.setOwner(file, principal);
        }
    }

    /**
     * Takes out all that was installed: files that nobody has changed since get their bytes back, of others only the
     * lines go that were put in. The generated file goes too.
     *
     * @param told hears of each file
     * @throws ReconfigException when nothing was installed, or a file cannot be written
     */
    public void remove(Consumer<String> told) {
        try {
            List<Edit> edits = Kept.read(kept);
            if (edits.isEmpty()) {
                throw new ReconfigException(
                        ReconfigException.Category.FATAL, "nothing is installed: " + kept + " tells of nothing");
            }
            takeBack(edits, told);
            deleteGenerated();
            Files.delete(kept);
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL, "not all is taken out: " + e + "; mend that and try again", e);
        }
    }

    /** With the small files beside it. */
    private void deleteGenerated() throws IOException {
        for (Path file : generated()) {
            Files.delete(file);
        }
    }

    private List<Path> generated() throws IOException {
        Path file = server.roleFile();
        String name = String.valueOf(file.getFileName());
        Path folder = AtomicFile.parent(file);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var found = Files.list(folder)) {
            return found.filter(
                            one -> String.valueOf(one.getFileName()).matches("\\.?" + Pattern.quote(name) + "(\\..*)?"))
                    .toList();
        }
    }

    private static void takeBack(List<Edit> edits, Consumer<String> told) throws IOException {
        List<Edit> reversed = new ArrayList<>(edits);
        Collections.reverse(reversed);
        for (Edit edit : reversed) {
            takeBack(edit, told);
        }
    }

    private static void takeBack(Edit edit, Consumer<String> told) throws IOException {
        switch (edit) {
            case Edit.Link(Path file, String target) -> {
                if (Files.isSymbolicLink(file)
                        && Files.readSymbolicLink(file).toString().equals(target)) {
                    Files.delete(file);
                }
            }
            case Edit.Text(Path file, String before, String after) -> {
                if (!Files.exists(file)) {
                    return;
                }
                String now = OperatorBytes.read(file);
                if (before == null && now.startsWith(ServerPlan.OWN)) {
                    Files.delete(file); // a file of ours altogether, whatever was added
                } else if (now.equals(after)) {
                    OperatorBytes.replace(file, before);
                } else if (!now.equals(before)) {
                    Optional<String> without = without(now);
                    if (without.isPresent()) {
                        OperatorBytes.replace(file, without.get());
                    }
                    told.accept(file + " was changed since it was installed: only the lines of retier went out of it");
                }
            }
        }
    }

    /** Without each mark and the line after it. */
    private static Optional<String> without(String text) {
        String less = text.replaceAll("(?m)^[ \\t]*" + ServerPlan.MARK + "\\R.*\\R", "");
        return less.equals(text) ? Optional.empty() : Optional.of(less);
    }
}
