package dev.retier.agent.loop;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Patience;
import dev.retier.agent.view.Sightings;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all parts of one agent's loop know, and what they want done. Owned by the loop. */
final class Scene<F extends RoleFile> {
    private final NodeId self;
    private ClusterConfig config;
    private Policy policy;
    private Sightings sightings = Sightings.none();
    private History history = History.none();
    private ClusterView view = ClusterView.of(List.of());
    private @Nullable RoleWord own;
    private long installedStamp;
    private LoopEvent.@Nullable Sampled sample;
    private List<LoopEffect<F>> effects = new ArrayList<>();
    private long nowNanos;

    Scene(NodeId self, ClusterConfig config) {
        this.self = self;
        this.config = config;
        this.policy = Policy.of(config);
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

    History history() {
        return history;
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

    void reconfigure(ClusterConfig next) {
        config = next;
        policy = Policy.of(next);
    }

    void read(Surroundings now) {
        own = now.own() instanceof RoleWord.Valid(RoleWord word) ? word : null;
        installedStamp = now.installedStamp();
    }

    /** The own word has just become this. */
    void own(RoleWord now) {
        own = now;
    }

    void sampled(LoopEvent.Sampled newest) {
        sample = newest;
    }

    /** One look; everything below speaks of it afterwards. */
    void looked(LoopEvent.Looked look) {
        read(look.here());
        sightings = sightings.after(look.readings(), nowNanos);
        Patience patience = Patience.of(config);
        emit(new LoopEffect.Probe<>(sightings.toProbe(patience, nowNanos)));
        view = sightings.view(look.probes(), patience, nowNanos).differing(look.differing());
        history = history.after(view, policy, nowNanos);
        tell(new Notice.Seen(view));
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
