package dev.retier.undertow.follow;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.IoReason;
import dev.retier.config.Parsed;
import dev.retier.undertow.role.AppTarget;
import dev.retier.undertow.role.Role;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.status.NodeCounters;
import dev.retier.undertow.status.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Applies the role file whenever it changes. A file that is broken, unreadable, of an older epoch, or that makes the
 * node its own app is refused: what was in force stays in force. A file of the same epoch with other content is
 * applied, because one move changes a proxy's list more than once. {@link #poll} is called by one thread at a time;
 * the getters are thread-safe.
 */
public final class RoleFollower {
    private static final Logger LOG = Logger.getLogger(RoleFollower.class);

    /** Every so many polls the file is read although it looks unchanged: time stamps may be too coarse. */
    private static final int POLLS_PER_FULL_READ = 100;

    private final String node;
    private final Path file;
    private final NodeCounters counters;
    private final BiConsumer<RoleFile, String> whenApplied;
    private @Nullable FileStamp lastStamp;
    private String lastSeen = "";
    private long appliedEpoch;
    private String appliedSha256 = "";
    private int pollsSinceFullRead;
    private volatile @Nullable String lastRefusal;
    private volatile long lastAppliedUnixMillis;

    /**
     * Follows {@code file} for {@code node}.
     *
     * @param whenApplied receives each file accepted and its SHA-256 in hexadecimal; must be quick
     */
    public RoleFollower(String node, Path file, NodeCounters counters, BiConsumer<RoleFile, String> whenApplied) {
        this.node = node;
        this.file = file;
        this.counters = counters;
        this.whenApplied = whenApplied;
    }

    /**
     * Applies the file for the first time.
     *
     * @throws ConfigException when it is missing or refused
     */
    public void start() {
        lastStamp = FileStamp.of(file).orElse(null);
        RoleFileBytes content;
        try {
            content = RoleFileBytes.read(file);
        } catch (IOException e) {
            String remedy = "; start the agent that writes it, or write one by hand (see undertow-node/README.md)";
            throw new ConfigException(List.of(new ConfigProblem(file.toString(), 0, "", unreadable(e) + remedy)));
        }
        lastSeen = content.sha256();
        RoleFile first = parse(content).orThrow();
        apply(first, content.sha256());
    }

    /** Looks at the file once and applies or refuses it when it changed. */
    public void poll() {
        Optional<FileStamp> stamp = FileStamp.of(file);
        boolean looksTheSame = stamp.isPresent() && stamp.get().equals(lastStamp);
        if (looksTheSame && ++pollsSinceFullRead < POLLS_PER_FULL_READ) {
            return;
        }
        pollsSinceFullRead = 0;
        lastStamp = stamp.orElse(null);
        try {
            consider(RoleFileBytes.read(file));
        } catch (IOException e) {
            refuse(file + ": " + unreadable(e), "unreadable: " + e);
        }
    }

    /** Why the file on disk is not in force, or null when it is. */
    public @Nullable String lastRefusal() {
        return lastRefusal;
    }

    /** When a file was last applied, milliseconds since 1970 in UTC. */
    public long lastAppliedUnixMillis() {
        return lastAppliedUnixMillis;
    }

    private void consider(RoleFileBytes content) {
        if (content.sha256().equals(lastSeen)) {
            return;
        }
        if (content.sha256().equals(appliedSha256)) {
            lastSeen = content.sha256();
            lastRefusal = null;
            return;
        }
        switch (parse(content)) {
            case Parsed.Good<RoleFile>(RoleFile newer) -> {
                apply(newer, content.sha256());
                lastSeen = content.sha256();
            }
            case Parsed.Refused<RoleFile>(List<ConfigProblem> problems) ->
                refuse(
                        problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("; ")),
                        content.sha256());
        }
    }

    private Parsed<RoleFile> parse(RoleFileBytes content) {
        Parsed<RoleFile> parsed = RoleFile.parse(content.bytes(), file.toString());
        return parsed instanceof Parsed.Good<RoleFile>(RoleFile newer)
                ? objection(newer)
                        .<Parsed<RoleFile>>map(problem -> new Parsed.Refused<>(List.of(problem)))
                        .orElse(parsed)
                : parsed;
    }

    private Optional<ConfigProblem> objection(RoleFile newer) {
        if (newer.epoch() < appliedEpoch) {
            String message = newer.epoch() + " is older than " + appliedEpoch + ", which is in force; write "
                    + appliedEpoch + " or above";
            return Optional.of(new ConfigProblem(file.toString(), 0, "epoch", message));
        }
        List<String> names = newer.apps().stream().map(AppTarget::node).toList();
        if (newer.role() == Role.PROXY && names.contains(node)) {
            String message = node + " cannot be its own app node; leave it out";
            return Optional.of(
                    new ConfigProblem(file.toString(), 0, "apps[" + names.indexOf(node) + "].node", message));
        }
        return Optional.empty();
    }

    private void apply(RoleFile newer, String sha256) {
        whenApplied.accept(newer, sha256);
        appliedEpoch = newer.epoch();
        appliedSha256 = sha256;
        lastRefusal = null;
        lastAppliedUnixMillis = System.currentTimeMillis();
        counters.add(Tally.ROLE_FILES_APPLIED);
        LOG.infof(
                "%s applied epoch %d: %s of site %s with %d app nodes",
                node,
                newer.epoch(),
                newer.role().word(),
                newer.site(),
                newer.apps().size());
    }

    private void refuse(String reason, String seen) {
        if (!seen.equals(lastSeen)) {
            lastSeen = seen;
            lastRefusal = reason;
            counters.add(Tally.ROLE_FILES_REFUSED);
            LOG.warnf("%s stays with epoch %d, the role file is refused: %s", node, appliedEpoch, reason);
        }
    }

    private static String unreadable(IOException e) {
        return "cannot be read (" + IoReason.of(e) + ")";
    }
}
