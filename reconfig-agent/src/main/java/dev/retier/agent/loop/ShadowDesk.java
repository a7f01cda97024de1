package dev.retier.agent.loop;

import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.decide.Decider;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Initiator;
import dev.retier.agent.decide.Policy;
import dev.retier.agent.decide.SeenOrder;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.decide.Valuation;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares, if this agent is a shadow, what it would order with what the others do. Owned by the loop. */
final class ShadowDesk<F extends RoleFile> {
    private final Scene<F> scene;
    private final Pauses<F> pauses;
    private final Map<NodeId, Long> ownEpochs = new HashMap<>();
    private Shadow shadow = Shadow.none();
    /** The newest look before orders that came together. */
    private @Nullable Ground ground;

    private List<SeenOrder> counted = List.of();
    private long countedNanos;

    /** What was known before something was ordered. */
    private record Ground(ClusterView view, History history) {}

    ShadowDesk(Scene<F> scene, Pauses<F> pauses) {
        this.scene = scene;
        this.pauses = pauses;
    }

    Shadow shadow() {
        return shadow;
    }

    /** An operator has had this agent order it. */
    void orderedByHand(NodeId node, RoleWord order) {
        ownEpochs.put(node, order.epoch());
    }

    /** After each look, before anything is decided. */
    void looked() {
        if (!scene.isShadow()) {
            return;
        }
        Ground before = ground;
        if (before == null || pauses.isPaused()) {
            shadow = shadow.paused();
            rest();
            return;
        }
        Shadow.Pace pace = pace();
        List<SeenOrder> all = SeenOrder.between(before.view, scene.view());
        List<SeenOrder> fresh =
                all.stream().filter(order -> !counted.contains(order)).toList();
        if (!fresh.isEmpty()) {
            countedNanos = counted.isEmpty() ? scene.nowNanos() : countedNanos;
            compare(before, all, fresh, pace);
            counted = all;
        }
        if (scene.policy().sites().stream()
                .anyMatch(site -> !scene.view().ordered(site.id()).isEmpty())) {
            shadow = shadow.moving(pace, scene.nowNanos());
        }
        boolean isOld = scene.nowNanos() - countedNanos > pace.following().toNanos();
        if (all.isEmpty() || isOld) {
            rest();
        }
    }

    private void rest() {
        ground = new Ground(scene.view(), scene.history());
        counted = List.of();
    }

    private void compare(Ground before, List<SeenOrder> all, List<SeenOrder> fresh, Shadow.Pace pace) {
        List<SeenOrder> others = fresh.stream().filter(this::isOfOthers).toList();
        if (!others.isEmpty()) {
            List<SeenOrder> earlier = counted.stream().filter(this::isOfOthers).toList();
            take(shadow.ordered(earlier, others, opinions(before, all), pace, scene.nowNanos()));
        }
        for (SeenOrder order : fresh) {
            shadow = shadow.without(order);
        }
    }

    private boolean isOfOthers(SeenOrder order) {
        Long own = ownEpochs.get(order.node());
        return order.mayBeDecided() && (own == null || own != order.epoch());
    }

    /**
     * What it would decide had nobody ordered. The others may have seen the pressure a look before, and have ordered up
     * to a look before it is seen here: so as if two looks had passed without anything new.
     */
    private Map<SiteId, Shadow.Opinion> opinions(Ground before, List<SeenOrder> orders) {
        Map<NodeId, RoleWord> words = orders.stream().collect(Collectors.toMap(SeenOrder::node, SeenOrder::before));
        ClusterView view = scene.view().withWords(words);
        Policy acting = scene.policy().inMode(Mode.ACT);
        History history = before.history.after(view, acting, scene.nowNanos());
        long thenNanos =
                scene.nowNanos() + 2 * scene.config().timing().sensitivity().toNanos();
        Map<SiteId, Shadow.Opinion> opinions = new HashMap<>();
        for (SiteConfig site : acting.sites()) {
            opinions.put(
                    site.id(),
                    new Shadow.Opinion(
                            Decider.decide(view, history, acting, site, thenNanos),
                            Valuation.of(view, history, acting, site, thenNanos).best()));
        }
        return opinions;
    }

    /** It has decided for {@code site}. */
    void decided(SiteConfig site, Decision decision) {
        if (!scene.isShadow()) {
            return;
        }
        Decision.Change would = decision instanceof Decision.Stay stay ? stay.would() : null;
        if (would == null) {
            take(shadow.decided(new Shadow.Opinion(decision, List.of()), false, pace(), scene.nowNanos()));
            return;
        }
        Valuation values = Valuation.of(scene.view(), scene.history(), scene.policy(), site, scene.nowNanos());
        boolean isLeftToIt = Initiator.isLeftTo(scene.self(), scene.view(), would);
        take(shadow.decided(new Shadow.Opinion(would, values.best()), isLeftToIt, pace(), scene.nowNanos()));
    }

    private Shadow.Pace pace() {
        return Shadow.Pace.of(scene.policy(), scene.config().timing().sensitivity());
    }

    private void take(Shadow.Outcome outcome) {
        shadow = outcome.shadow();
        outcome.found().forEach(found -> scene.tell(new Notice.Compared(found)));
    }
}
