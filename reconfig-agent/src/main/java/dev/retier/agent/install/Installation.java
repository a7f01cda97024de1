package dev.retier.agent.install;

import dev.retier.agent.Agent;
import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.command.TextDiff;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.server.HttpdLook;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a server of the operator's lacks for its node, and takes it out again. What was there before is kept
 * beside the node's journal, so that removing restores the bytes. Not for two at a time.
 */
public final class Installation {
    private final AgentConfig config;
    private final Path kept;

    /** For the server of that node. */
    public Installation(AgentConfig config) {
        this.config = config;
        this.kept = config.journalDirectory()
                .resolve("installed-" + config.node().server().kind().word() + ".json");
    }

    /**
     * What {@link #install} would change; empty when nothing is lacking.
     *
     * @throws ReconfigException when it cannot be found out; the message says what to do by hand
     */
    public List<Edit> plan() throws InterruptedException {
        if (config.node().server().kind() != ServerKind.HTTPD) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "only httpd's configuration is written; for "
                            + config.node().server().kind().word()
                            + " take the lines of conf/ that retier comes with, then run retier doctor");
        }
        return new HttpdPlan(config.cluster(), config.node()).edits();
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
        List<Edit> made = new ArrayList<>();
        try {
            List<Edit> all = new ArrayList<>(Kept.read(kept));
            all.addAll(edits);
            Kept.write(kept, all);
            for (Edit edit : edits) {
                make(edit);
                made.add(edit);
            }
            Agent.writeFirstRoleFile(config);
            own(owner);
            String _ = HttpdLook.dump(config.node().server());
        } catch (IOException e) {
            String left = undone(made);
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "not installed (" + (e.getMessage() == null ? IoReason.of(e) : e.getMessage()) + "); " + left,
                    e);
        }
    }

    private String undone(List<Edit> made) {
        List<String> said = new ArrayList<>();
        try {
            takeBack(made, said::add);
            List<Edit> before = new ArrayList<>(Kept.read(kept));
            before.removeAll(made);
            Kept.write(kept, before);
            return said.isEmpty() ? "all is as it was" : String.join("; ", said);
        } catch (IOException e) {
            return "not all could be put back: " + IoReason.of(e) + "; retier install --remove tries again";
        }
    }

    private static void make(Edit edit) throws IOException {
        switch (edit) {
            case Edit.Link(Path file, String target) -> Files.createSymbolicLink(file, Path.of(target));
            case Edit.Text(Path file, String _, String after) -> AtomicFile.replace(file, after);
        }
    }

    /** Workers of the server must get in as well. */
    private void own(@Nullable String owner) throws IOException {
        Path folder = AtomicFile.parent(config.node().server().roleFile());
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
        String name = String.valueOf(config.node().server().roleFile().getFileName());
        try (var found = Files.list(folder)) {
            found.filter(file -> String.valueOf(file.getFileName()).startsWith(name))
                    .forEach(files::add);
        }
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
            Path file = config.node().server().roleFile();
            String name = String.valueOf(file.getFileName());
            try (var found = Files.list(AtomicFile.parent(file))) {
                for (Path one : found.toList()) {
                    String other = String.valueOf(one.getFileName());
                    if (other.equals(name) || other.startsWith(name + ".") || other.startsWith("." + name + ".")) {
                        Files.delete(one);
                    }
                }
            }
            Files.delete(kept);
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL, "not all is taken out: " + e + "; mend that and try again", e);
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
                String now = Files.readString(file);
                if (now.equals(after) && before == null) {
                    Files.delete(file);
                } else if (now.equals(after)) {
                    AtomicFile.replace(file, before);
                } else if (!now.equals(before)) {
                    Optional<String> without = without(now);
                    if (without.isPresent()) {
                        AtomicFile.replace(file, without.get());
                    }
                    told.accept(file + " was changed since it was installed: only the lines of retier went out of it");
                }
            }
        }
    }

    /** Without each mark and the line after it. */
    private static Optional<String> without(String text) {
        String less = text.replaceAll("(?m)^[ \\t]*" + HttpdPlan.MARK + "\\R.*\\R", "");
        return less.equals(text) ? Optional.empty() : Optional.of(less);
    }
}
