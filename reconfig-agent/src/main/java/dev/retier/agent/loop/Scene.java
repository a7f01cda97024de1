package dev.retier.agent.loop;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.move.Recovery;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Patience;
import dev.retier.agent.view.Plausible;
import dev.retier.agent.view.Probes;
import dev.retier.agent.view.Sightings;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What all parts of one agent's loop know, and what they want done. Owned by the loop. */
final class Scene<F extends RoleFile> {
    /**
     * So many of each tier look as soon as the members have settled, so that the next chance to decide does not come S
     * later; if all did, a move would cost the square of the nodes.
     */
    private static final int FIRST_TO_LOOK = 8;

    private final NodeId self;
    private final boolean isShadow;
    private ClusterConfig config;
    private Policy policy;
    private Sightings sightings = Sightings.none();
    private History history = History.none();
    private Probes probes = Probes.NONE;
    private ClusterView view = ClusterView.of(List.of());
    /** As the newest look at all showed it. */
    private ClusterView wholeView = view;

    private final Map<NodeId, String> flaws = new HashMap<>();
    private @Nullable RoleWord own;
    private @Nullable RoleWord lastOwn;
    private long ownBits;
    private boolean isOwnFlawed;
    /** What the own word is by the journal, with the fence of then. */
    private @Nullable RoleWord settled;

    private long highestEpoch;
    private long installedStamp;
    private long outgrownTerm;
    private LoopEvent.@Nullable Sampled sample;
    /** An edge that runs says so every ten seconds. */
    private static final long EDGE_SILENT_NANOS = 30_000_000_000L;

    private final Map<String, EdgeWord> edgeWords = new HashMap<>();
    /** When each edge has said something last, or when it was first missed. */
    private final Map<String, Long> edgeHeardNanos = new HashMap<>();

    private List<LoopEffect<F>> effects = new ArrayList<>();
    private long nowNanos;

    Scene(NodeId self, ClusterConfig config, boolean isShadow) {
        this.self = self;
        this.isShadow = isShadow;
        this.config = obeyed(config);
        this.policy = Policy.of(this.config);
    }

    /** A shadow orders nothing by its own decision, whatever the file says. */
    private ClusterConfig obeyed(ClusterConfig given) {
        return isShadow ? given.withMode(Mode.RECOMMEND) : given;
    }

    /** Whether this agent only compares what it would order with what others do. */
    boolean isShadow() {
        return isShadow;
    }

    NodeId self() {
        return self;
    }

    ClusterConfig config() {
        return config;
    }

    Policy policy() {
        return policy;
    }

    ClusterView view() {
        return view;
    }

    /** Without what was seen of single nodes since the newest look at all: what proves anything of all. */
    ClusterView wholeView() {
        return wholeView;
    }

    History history() {
        return history;
    }

    /** Until the members of the next tier have settled; {@link Long#MAX_VALUE} unless this node is to look first. */
    long settlesInNanos() {
        boolean isFirst = own().stream()
                .flatMap(word -> view.serving(word.to()).stream().limit(FIRST_TO_LOOK))
                .anyMatch(node -> node.id().equals(self));
        return isFirst ? history.settlesInNanos(policy, nowNanos) : Long.MAX_VALUE;
    }

    long nowNanos() {
        return nowNanos;
    }

    long installedStamp() {
        return installedStamp;
    }

    /** The own role word; none before the first look, and when a peer has put there what is none. */
    Optional<RoleWord> own() {
        return Optional.ofNullable(own);
    }

    LoopEvent.@Nullable Sampled sample() {
        return sample;
    }

    /** Stamp of the file that the server runs, as far as it has told. */
    long appliedStamp() {
        LoopEvent.Sampled newest = sample;
        return newest == null ? 0 : newest.status().appliedStamp();
    }

    void at(long now) {
        nowNanos = now;
    }

    /** What was told by an edge that is another now says nothing of it. */
    void reconfigure(ClusterConfig next) {
        ClusterConfig before = config;
        Predicate<String> isOther = name -> !next.edgeNamed(name).equals(before.edgeNamed(name));
        edgeWords.keySet().removeIf(isOther);
        edgeHeardNanos.keySet().removeIf(isOther);
        config = obeyed(next);
        policy = Policy.of(config);
    }

    void read(Surroundings now) {
        switch (now.own()) {
            case RoleWord.Valid(RoleWord word) -> {
                Optional<String> flaw = Plausible.flaw(word, config, highestEpoch);
                own = flaw.isEmpty() ? word : null;
                judge(self, flaw);
                ownBits = word.encode();
            }
            case RoleWord.Malformed(long bits, String reason) -> {
                own = null;
                judge(self, Optional.of(reason));
                ownBits = bits;
            }
        }
        isOwnFlawed = own == null;
        lastOwn = own == null ? lastOwn : own;
        believe(own);
        installedStamp = now.installedStamp();
        if (Recovery.isToOutgrow(now.highestTerm(), outgrownTerm)) {
            outgrownTerm = now.highestTerm();
            emit(new LoopEffect.Outgrow<>(outgrownTerm));
        }
    }

    private void believe(@Nullable RoleWord word) {
        highestEpoch = word == null ? highestEpoch : Math.max(highestEpoch, word.epoch());
    }

    /** Tells once what is wrong with the word of a node, and that it no longer is. */
    private void judge(NodeId node, Optional<String> flaw) {
        if (flaw.isEmpty()) {
            if (flaws.remove(node) != null) {
                tell(new Notice.WordMended(node));
            }
        } else if (flaws.put(node, flaw.get()) == null) {
            tell(new Notice.WordFlawed(node, flaw.get()));
        }
    }

    /** The word with which the slot was opened. */
    void begin(RoleWord first) {
        lastOwn = first;
        settled = first;
        believe(first);
    }

    /** The own journal has the end of a move. */
    void settled(RoleWord end) {
        settled = end;
    }

    /** What the own word is by the journal. */
    RoleWord settled() {
        return Objects.requireNonNull(settled, "there is one from the start");
    }

    /** The highest epoch in any word that was believed. */
    long highestEpoch() {
        return highestEpoch;
    }

    /**
     * Puts back what the own word was before a peer wrote what cannot be true; behind a fence, so that nothing late
     * that expects the word before changes it.
     */
    void mendOwnWord() {
        RoleWord good = lastOwn;
        if (isOwnFlawed && good != null) {
            emit(new LoopEffect.Mend<>(ownBits, good.phase() == Phase.ACTIVE ? good.fenced() : good));
        }
    }

    /** The own word has just become this. */
    void own(RoleWord now) {
        own = now;
        lastOwn = now;
        believe(now);
    }

    void sampled(LoopEvent.Sampled newest) {
        sample = newest;
    }

    /** What edges have told this node last, by name. */
    Map<String, EdgeWord> edgeWords() {
        return Collections.unmodifiableMap(edgeWords);
    }

    /** Of an edge that is not in the cluster file, nothing is kept. */
    void edgeTold(EdgeWord word) {
        if (config.edgeNamed(word.edge()).isPresent()) {
            edgeWords.put(word.edge(), word);
            edgeHeardNanos.put(word.edge(), nowNanos);
        }
    }

    /** One look; everything below speaks of it afterwards. */
    void looked(LoopEvent.Looked look) {
        read(look.here());
        Map<NodeId, SlotReading> believed = new HashMap<>();
        look.readings().forEach((node, reading) -> believed.put(node, believed(node, reading)));
        sightings = sightings.after(believed, nowNanos);
        probes = look.probes();
        Patience patience = Patience.of(config);
        emit(new LoopEffect.Probe<>(sightings.toProbe(patience, nowNanos)));
        wholeView = sightings
                .view(probes, patience, nowNanos)
                .differing(look.differing())
                .unheardEdges(unheardEdges())
                .holdingVolumes(look.holdingVolumes());
        seen(wholeView);
    }

    /**
     * A look at some nodes alone; returns whether it can be believed. Where it shows orders behind one that was not
     * seen, it changes nothing: files with their stamp would seem to have been made after that one too.
     */
    boolean glanced(LoopEvent.Glanced glance) {
        read(glance.here());
        Map<NodeId, SlotReading> believed = new HashMap<>();
        glance.readings().forEach((node, reading) -> {
            if (believed(node, reading) instanceof SlotReading.Known known) {
                believed.put(node, known);
            }
        });
        Sightings next = sightings.with(believed, nowNanos);
        ClusterView shown = next.view(probes, Patience.of(config), nowNanos)
                .differing(view.differing())
                .unheardEdges(view.unheardEdges())
                .holdingVolumes(view.holdingVolumes());
        if (!shown.isUnbrokenFrom(wholeView.maxEpoch(), config.epochs())) {
            return false;
        }
        sightings = next;
        seen(shown);
        return true;
    }

    private void seen(ClusterView now) {
        view = now;
        history = history.after(view, policy, nowNanos);
        tell(new Notice.Seen(view));
    }

    /** Sites of which an edge has said nothing for long. */
    private Set<SiteId> unheardEdges() {
        return config.edges().stream()
                .filter(edge ->
                        nowNanos - edgeHeardNanos.computeIfAbsent(edge.name(), _ -> nowNanos) > EDGE_SILENT_NANOS)
                .map(EdgeConfig::site)
                .collect(Collectors.toSet());
    }

    /** What cannot be true is no reading. */
    private SlotReading believed(NodeId node, SlotReading reading) {
        if (!(reading instanceof SlotReading.Known known)) {
            return reading;
        }
        Optional<String> flaw = Plausible.flaw(known.roleWord(), config, highestEpoch);
        if (!node.equals(self)) {
            judge(node, flaw);
        }
        if (flaw.isPresent()) {
            return new SlotReading.Unknown(SlotReading.Reason.MALFORMED);
        }
        believe(known.roleWord());
        return reading;
    }

    void emit(LoopEffect<F> effect) {
        effects.add(effect);
    }

    void tell(Notice notice) {
        effects.add(new LoopEffect.Tell<>(notice));
    }

    /** What was wanted since the last call. */
    List<LoopEffect<F>> take() {
        List<LoopEffect<F>> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }
}
