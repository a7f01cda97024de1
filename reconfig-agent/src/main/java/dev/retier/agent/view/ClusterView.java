package dev.retier.agent.view;

import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All configured nodes as one agent sees them after one look.
 *
 * @param nodes by id, in order of id
 */
public record ClusterView(SortedMap<NodeId, NodeView> nodes) {
    /** Keeps its own copy. */
    public ClusterView {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    }

    /** The view of these nodes. */
    public static ClusterView of(List<NodeView> views) {
        SortedMap<NodeId, NodeView> nodes = new TreeMap<>();
        views.forEach(view -> nodes.put(view.id(), view));
        return new ClusterView(nodes);
    }

    /** The nodes that the newest look showed, in order of id. */
    public Stream<NodeView.Known> known() {
        return nodes.values().stream().filter(NodeView.Known.class::isInstance).map(NodeView.Known.class::cast);
    }

    /** Share of the configured nodes that the newest look did not show, in [0,1]. */
    public double unknownShare() {
        return nodes.isEmpty() ? 1 : 1 - (double) known().count() / nodes.size();
    }

    /** The newest role word seen of a node. */
    public Optional<RoleWord> word(NodeId id) {
        return Optional.ofNullable(nodes.get(id)).flatMap(ClusterView::word);
    }

    /** The nodes that actively serve {@code role} with a server that can be given work, in order of id. */
    public List<NodeView> serving(Role role) {
        return nodes.values().stream()
                .filter(NodeView::isServing)
                .filter(node -> word(node).map(word -> word.serves(role)).orElse(false))
                .toList();
    }

    /** The nodes under orders from or to a tier of {@code site}, dead ones left out, in order of id. */
    public List<NodeView> ordered(SiteId site) {
        return nodes.values().stream()
                .filter(node -> !(node instanceof NodeView.Silent silent && silent.isDead()))
                .filter(node -> word(node)
                        .filter(word -> word.phase() == Phase.ORDERED && touches(word, site))
                        .isPresent())
                .toList();
    }

    /**
     * The highest epoch of which there is any trace, 0 if none: in a role word, or in the files that servers run. A
     * node that is gone may have taken its word with it, while files that came of its move are still in use.
     */
    public long maxEpoch() {
        long ordered = words().mapToLong(RoleWord::epoch).max().orElse(0);
        long applied = nodes.values().stream()
                .mapToLong(ClusterView::appliedEpoch)
                .filter(epoch -> epoch <= RoleWord.MAX_EPOCH)
                .max()
                .orElse(0);
        return Math.max(ordered, applied);
    }

    /**
     * The role words that the holder of the lock of {@code site} may change, as the newest look showed them: those of
     * nodes that actively serve the site, and of those that serve none.
     */
    public Map<NodeId, RoleWord> movable(SiteId site) {
        return known().filter(node -> node.word().phase() == Phase.ACTIVE)
                .filter(node -> names(node.word().to(), site) || !(node.word().to() instanceof Role.Serving))
                .collect(Collectors.toMap(NodeView.Known::id, NodeView.Known::word));
    }

    /**
     * The stamp of what {@code site} should run: twice the epoch of the newest word that names the site, plus one
     * once that move is active. One epoch has two renderings, and this orders them.
     */
    public long stamp(SiteId site) {
        return words().filter(word -> touches(word, site))
                .mapToLong(Stamps::of)
                .max()
                .orElse(0);
    }

    private Stream<RoleWord> words() {
        return nodes.values().stream().map(ClusterView::word).flatMap(Optional::stream);
    }

    private static Optional<RoleWord> word(NodeView node) {
        return switch (node) {
            case NodeView.Known known -> Optional.of(known.word());
            case NodeView.Silent silent -> Optional.of(silent.lastWord());
            case NodeView.NeverSeen _ -> Optional.empty();
        };
    }

    private static long appliedEpoch(NodeView node) {
        return switch (node) {
            case NodeView.Known known -> Stamps.epoch(known.load().appliedEpoch());
            case NodeView.Silent silent -> Stamps.epoch(silent.lastLoad().appliedEpoch());
            case NodeView.NeverSeen _ -> 0;
        };
    }

    private static boolean touches(RoleWord word, SiteId site) {
        return names(word.from(), site) || names(word.to(), site);
    }

    private static boolean names(Role role, SiteId site) {
        return role instanceof Role.Serving(SiteId served, var _) && Objects.equals(served, site);
    }
}
