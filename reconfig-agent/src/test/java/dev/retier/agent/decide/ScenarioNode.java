package dev.retier.agent.decide;

import dev.retier.agent.config.ServerKind;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.NodeView.Silence;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node of a scenario, as the verb {@code node} describes it. */
final class ScenarioNode {
    final NodeId id;
    RoleWord word;
    double capacity = 1_000;
    Fate fate = Fate.FINE;

    boolean differs;
    boolean holdsVolumes;

    /** Whether its agent is of the version before, which knows no orders that are given together. */
    boolean isFormer;

    ServerKind kind = ServerKind.WEB_NODE;

    /** How its moves end; without a value as the policy says. */
    @Nullable
    String moves;

    @Nullable
    Double ownLoad;

    enum Fate {
        FINE,
        DOWN,
        STARTING,
        LEAVING,
        UNSEEN,
        UNSEEN_DEAD,
        SILENT(Silence.UNKNOWN),
        LATE(Silence.LATE),
        STRANDED(Silence.STRANDED),
        DEAD(Silence.DEAD);

        final Optional<Silence> silence;

        Fate() {
            silence = Optional.empty();
        }

        Fate(Silence silence) {
            this.silence = Optional.of(silence);
        }
    }

    ScenarioNode(int id, Role role) {
        this.id = new NodeId(id);
        this.word = RoleWord.active(0, 0, role);
    }

    NodeView view(double tierLoad, double answeredPerSecond, int underWay) {
        Health health = switch (fate) {
            case DOWN, STARTING -> Health.DOWN;
            case LEAVING -> Health.LEAVING;
            case FINE, UNSEEN, UNSEEN_DEAD, SILENT, LATE, STRANDED, DEAD -> Health.UP;
        };
        double used = ownLoad == null ? tierLoad : ownLoad;
        LoadRecord load = new LoadRecord(0, health, used, 0, 0, answeredPerSecond, underWay, capacity, 0);
        if (fate == Fate.UNSEEN || fate == Fate.UNSEEN_DEAD) {
            return new NodeView.NeverSeen(id, SlotReading.Reason.NOT_CONNECTED, fate == Fate.UNSEEN_DEAD);
        }
        return fate.silence
                .<NodeView>map(
                        silence -> new NodeView.Silent(id, word, load, SlotReading.Reason.NOT_CONNECTED, silence))
                .orElseGet(() -> new NodeView.Known(id, word, load, fate == Fate.STARTING, !isFormer));
    }

    /** What the verb {@code node} says of it. */
    void set(Map<String, String> arguments) {
        if (arguments.containsKey("load")) {
            ownLoad = arguments.get("load").equals("tier") ? null : Double.valueOf(arguments.get("load"));
        }
        if (arguments.containsKey("capacity")) {
            capacity = Double.parseDouble(arguments.get("capacity"));
        }
        if (arguments.containsKey("agent")) {
            isFormer = arguments.get("agent").equals("former");
        }
        if (arguments.containsKey("kind")) {
            kind = ServerKind.valueOf(arguments.get("kind").toUpperCase(Locale.ROOT));
        }
        if (arguments.containsKey("config")) {
            differs = arguments.get("config").equals("differs");
        }
        if (arguments.containsKey("volumes")) {
            holdsVolumes = arguments.get("volumes").equals("attached");
        }
        if (arguments.containsKey("moves")) {
            moves = arguments.get("moves");
        }
        if (arguments.containsKey("fate")) {
            fate = Fate.valueOf(arguments.get("fate").toUpperCase(Locale.ROOT));
        }
    }
}
