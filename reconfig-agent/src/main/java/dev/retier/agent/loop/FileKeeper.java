package dev.retier.agent.loop;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.render.Capacities;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.render.Shares;
import dev.retier.agent.render.SlowStart;
import dev.retier.agent.render.Spread;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.Ground;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps the own server's role file and the targets for the edge in step with the view. Owned by the loop. */
final class FileKeeper<F extends RoleFile> {
    /** For how long to ask closely while the server has a new file, drains or switches; a file takes some 20 ms. */
    static final long HURRY_NANOS = 75_000_000;

    private final Scene<F> scene;
    private final FileMaker<F> maker;
    private final RoleFileApplier<F> applier;
    private final Map<String, TargetList> posted = new HashMap<>();
    private SlowStart slowStart = SlowStart.none();
    private Capacities capacities = Capacities.NONE;
    private Spread spread = Spread.none();
    private @Nullable Drawn lastDrawn;
    private @Nullable String failure;
    private long stampOnDisk;
    /** A file of somebody else has the one before: the next one must be newer. */
    private long leastStamp;

    private boolean isTaken;
    private boolean isInstalling;
    /** What a move wants written as soon as the file before it is. */
    private @Nullable Wanted wanted;
    /** Who had to let go by a file of that stamp, or an older one, has been woken. */
    private long stampWokenFor;

    /** All that a file depends on; while it is the same, so is the file. */
    private record Drawn(Ground ground, Shares shares) {}

    private record Wanted(Role role, long stamp) {}

    /** How a file came out. */
    enum Writing {
        /** It is on disk, as far as is known. */
        WRITTEN,
        /** It is being written; {@link #installed} will tell. */
        UNDER_WAY,
        /** There can be none now. */
        NOTHING_TO_RENDER,
        /** It could not be made or written. */
        FAILED
    }

    FileKeeper(Scene<F> scene, FileMaker<F> maker) {
        this.scene = scene;
        this.maker = maker;
        this.applier = new RoleFileApplier<>(scene.config().move().switchDeadline());
    }

    /** Stamp of the file on disk. */
    long stampOnDisk() {
        return stampOnDisk;
    }

    /** Whether the server runs the file on disk. */
    boolean isTaken() {
        return isTaken;
    }

    /** Why the newest file could not be written; null when it was. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Whether the server has a file that it has not taken yet. */
    boolean isPending() {
        return applier.isPending();
    }

    /** After a look, while no move of this node is under way: what its role word and the view ask for. */
    void follow(RoleWord own) {
        slowStart = slowStart.after(scene.view(), scene.nowNanos());
        capacities = capacities.after(scene.view());
        spread = spread();
        Ground ground = Ground.of(scene.view(), scene.config().epochs(), own, scene.appliedStamp());
        Drawn drawn = new Drawn(ground, shares());
        if (drawn.equals(lastDrawn) || isInstalling) {
            return;
        }
        Writing writing = write(ground.role(), ground.stamp());
        if (writing == Writing.WRITTEN || writing == Writing.UNDER_WAY) {
            lastDrawn = drawn;
        }
    }

    private Shares shares() {
        return new Shares(
                slowStart.weights(scene.config().move().slowStart(), scene.nowNanos()), capacities, spread.letGo());
    }

    private Spread spread() {
        ClusterConfig config = scene.config();
        return config.node(scene.self()).server().kind().letsConnectionsGo()
                ? spread.after(scene.view(), scene.self(), Spread.round(config), scene.nowNanos())
                : spread;
    }

    /** After a look: the targets of each site that have changed. */
    void postTargets() {
        scene.config().sites().forEach(site -> {
            TargetList list = TargetList.of(scene.config(), scene.view(), site);
            if (!list.equals(posted.put(site.name(), list))) {
                scene.emit(new LoopEffect.Post<>(list));
            }
        });
    }

    /**
     * Puts the file of {@code role} on disk, under {@code stamp} or a later one if the server has one already: it
     * refuses what is older.
     */
    Writing write(Role role, long stamp) {
        lastDrawn = null;
        if (isInstalling) {
            wanted = new Wanted(role, stamp);
            return Writing.UNDER_WAY;
        }
        long newest =
                Math.max(Math.max(stamp, scene.installedStamp()), Math.max(applier.stamp(), scene.appliedStamp()));
        newest = Math.max(newest, leastStamp);
        try {
            Optional<F> file = maker.make(scene.view(), shares(), role, newest);
            if (file.isEmpty()) {
                return Writing.NOTHING_TO_RENDER;
            }
            Optional<F> toWrite = applier.offer(file.get(), scene.nowNanos());
            stampOnDisk = newest;
            if (toWrite.isEmpty()) {
                failure = null;
                return Writing.WRITTEN;
            }
            install(toWrite.get());
            return Writing.UNDER_WAY;
        } catch (IllegalArgumentException e) {
            failed(String.valueOf(e.getMessage()));
            return Writing.FAILED;
        }
    }

    private void install(F file) {
        isTaken = false;
        isInstalling = true;
        scene.emit(new LoopEffect.Install<>(file));
        scene.emit(new LoopEffect.Hurry<>(HURRY_NANOS, false));
    }

    /**
     * How the last file came out.
     *
     * @return empty while the file that a move wants is still to come
     */
    Optional<Writing> installed(@Nullable String problem) {
        isInstalling = false;
        if (problem == null) {
            failure = null;
        } else {
            applier.notWritten();
            lastDrawn = null;
            failed(problem);
        }
        Wanted next = wanted;
        if (next != null) {
            wanted = null;
            Writing writing = write(next.role(), next.stamp());
            return writing == Writing.UNDER_WAY ? Optional.empty() : Optional.of(writing);
        }
        return Optional.of(problem == null ? Writing.WRITTEN : Writing.FAILED);
    }

    private void failed(String why) {
        boolean isFirst = failure == null;
        failure = why;
        scene.tell(new Notice.FileFailed(why, isFirst));
    }

    /** The file of {@code role} as things are now, for a comparison. */
    Optional<F> wouldWrite(Role role) {
        long stamp = Math.max(stampOnDisk, Math.max(scene.installedStamp(), scene.appliedStamp()));
        return maker.make(scene.view(), shares(), role, stamp);
    }

    private void taken() {
        isTaken = true;
        scene.tell(new Notice.FileApplied());
        scene.own().flatMap(FileKeeper::proxyOf).ifPresent(this::wakeLeaving);
    }

    private static Optional<SiteId> proxyOf(RoleWord own) {
        return Stream.of(own.to(), own.from())
                .filter(Role.Serving.class::isInstance)
                .map(Role.Serving.class::cast)
                .filter(role -> role.tier() == Tier.PROXY)
                .map(Role.Serving::site)
                .findFirst();
    }

    /** Who is to leave the apps waits for just that, once. */
    private void wakeLeaving(SiteId site) {
        Set<NodeId> waiting = scene.view().leaving(Role.serving(site, Tier.APP), stampWokenFor, stampOnDisk);
        stampWokenFor = stampOnDisk;
        if (!waiting.isEmpty()) {
            scene.emit(new LoopEffect.Wake<>(waiting));
        }
    }

    /** While a move of this node is under way: takes note of what the server runs, and changes nothing. */
    void see(LoopEvent.Sampled sample) {
        if (!isInstalling && applier.see(sample.status(), sample.askedAtNanos())) {
            taken();
        }
    }

    /**
     * Sees whether the server took the file written last. Not while a move of this node is under way: a move sees for
     * itself, and decides itself what to write when a file is refused.
     */
    void check(LoopEvent.Sampled sample) {
        if (isInstalling) {
            return;
        }
        if (applier.isPending()) {
            scene.emit(new LoopEffect.Hurry<>(HURRY_NANOS, false));
        }
        RoleFileApplier.Check<F> check = applier.check(sample.status(), sample.askedAtNanos(), scene.nowNanos());
        switch (check.result()) {
            case NOTHING -> {}
            case APPLIED -> taken();
            case REFUSED -> {
                lastDrawn = null;
                scene.tell(new Notice.FileRefused(
                        sample.status().lastRefusal(), check.write().isPresent()));
            }
            case LATE -> scene.tell(new Notice.FileLate());
            case ASTRAY -> astray(sample.status());
        }
        check.write().ifPresent(this::install);
    }

    /** Told once for each file of somebody else. */
    private void astray(ServerStatus status) {
        if (status.appliedStamp() >= leastStamp) {
            leastStamp = status.appliedStamp() + 1;
            lastDrawn = null;
            scene.tell(new Notice.ServerAstray(status.role()));
        }
    }
}
