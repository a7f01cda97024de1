package dev.retier.agent.daemon;

import dev.retier.agent.decide.History;
import dev.retier.agent.observe.ServerProbes;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Patience;
import dev.retier.agent.view.Sightings;
import dev.retier.state.SharedState;
import java.util.List;

/** Looks at the shared state and keeps what follows from it. Owned by the control loop. */
final class Watcher {
    private final SharedState state;
    private final LiveConfig live;
    private final ServerProbes probes;
    private Sightings sightings = Sightings.none();
    private History history = History.none();
    private volatile ClusterView view = ClusterView.of(List.of());

    Watcher(SharedState state, LiveConfig live, ServerProbes probes) {
        this.state = state;
        this.live = live;
        this.probes = probes;
    }

    /** One look; everything below speaks of it afterwards. */
    void look() {
        sightings = sightings.after(state.look(), System.nanoTime());
        long nowNanos = System.nanoTime();
        Patience patience = Patience.of(live.cluster());
        probes.probe(sightings.toProbe(patience, nowNanos));
        ClusterView next = sightings.view(probes.newest(), patience, nowNanos);
        history = history.after(next, live.policy(), nowNanos);
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
