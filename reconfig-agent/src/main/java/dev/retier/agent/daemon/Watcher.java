package dev.retier.agent.daemon;

import dev.retier.agent.config.Timing;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Sightings;
import dev.retier.state.SharedState;
import java.util.List;

/** Looks at the shared state and keeps what follows from it. Owned by the control loop. */
final class Watcher {
    private final SharedState state;
    private final Timing timing;
    private final Policy policy;
    private final ServerProbes probes;
    private Sightings sightings = Sightings.none();
    private History history = History.none();
    private volatile ClusterView view = ClusterView.of(List.of());

    Watcher(SharedState state, Timing timing, Policy policy, ServerProbes probes) {
        this.state = state;
        this.timing = timing;
        this.policy = policy;
        this.probes = probes;
    }

    /** One look; everything below speaks of it afterwards. */
    void look() {
        sightings = sightings.after(state.look(), System.nanoTime());
        long nowNanos = System.nanoTime();
        probes.probe(sightings.unknownFor(timing.deadAfter(), nowNanos));
        ClusterView next = sightings.view(probes.silent(), timing.deadAfter(), nowNanos);
        history = history.after(next, policy, nowNanos);
        view = next;
    }

    /** The newest view; may be read from any thread. */
    ClusterView view() {
        return view;
    }

    History history() {
        return history;
    }
}
