package dev.retier.agent.view;

import dev.retier.link.NodeId;
import dev.retier.state.Epochs;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All configured nodes as one agent sees them after one look.
 *
 * @param nodes by id, in order of id
 * @param differing those of them that are connected and have told of another configuration than this agent's
 * @param unheardEdges sites of which an edge has told this agent nothing for so long that it is probably not running
 * @param holdingVolumes nodes that serve a volume which somebody has attached, as far as anybody can tell
 */
public record ClusterView(
        SortedMap<NodeId, NodeView> nodes,
        SortedSet<NodeId> differing,
        SortedSet<SiteId> unheardEdges,
        SortedSet<NodeId> holdingVolumes) {
    /** Keeps its own copies. */
    public ClusterView {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        differing = Collections.unmodifiableSortedSet(new TreeSet<>(differing));
        unheardEdges = Collections.unmodifiableSortedSet(new TreeSet<>(unheardEdges));
        holdingVolumes = Collections.unmodifiableSortedSet(new TreeSet<>(holdingVolumes));
    }

    /** The view of these nodes: their agents have one configuration, their edges are heard, they hold no volumes. */
    public static ClusterView of(List<NodeView> views) {
        SortedMap<NodeId, NodeView> nodes = new TreeMap<>();
        views.forEach(view -> nodes.put(view.id(), view));
        return new ClusterView(
                nodes, Collections.emptySortedSet(), Collections.emptySortedSet(), Collections.emptySortedSet());
    }

    /** The same, but these have told of another configuration. */
    public ClusterView differing(Set<NodeId> others) {
        return others.isEmpty() && differing.isEmpty()
                ? this
                : new ClusterView(nodes, new TreeSet<>(others), unheardEdges, holdingVolumes);
    }

    /** The same, but of edges of these sites nothing is heard. */
    public ClusterView unheardEdges(Set<SiteId> sites) {
        return sites.isEmpty() && unheardEdges.isEmpty()
                ? this
                : new ClusterView(nodes, differing, new TreeSet<>(sites), holdingVolumes);
    }

    /** The same, but these hold volumes. */
    public ClusterView holdingVolumes(Set<NodeId> holding) {
        return holding.isEmpty() && holdingVolumes.isEmpty()
                ? this
                : new ClusterView(nodes, differing, unheardEdges, new TreeSet<>(holding));
    }

    /** The same, but the known ones of these nodes have these role words. */
    public ClusterView withWords(Map<NodeId, RoleWord> words) {
        SortedMap<NodeId, NodeView> other = new TreeMap<>(nodes);
        other.replaceAll((id, node) -> node instanceof NodeView.Known known && words.containsKey(id)
                ? new NodeView.Known(
                        id,
                        Objects.requireNonNull(words.get(id)),
                        known.load(),
                        known.isStarting(),
                        known.knowsBatches())
                : node);
        return new ClusterView(other, differing, unheardEdges, holdingVolumes);
    }

    /** Whether a node of that role cannot leave it, as an edge that may send to it is not heard. */
    public boolean isHeldByAnEdge(Role role) {
        return role instanceof Role.Serving(SiteId site, Tier tier)
                && tier == Tier.PROXY
                && unheardEdges.contains(site);
    }

    /** The nodes that the newest look showed, in order of id. */
    public Stream<NodeView.Known> known() {
        return nodes.values().stream().filter(NodeView.Known.class::isInstance).map(NodeView.Known.class::cast);
    }

    /** Share of the configured nodes whose load nobody knows after the newest look, in [0,1]; a late one is known. */
    public double unknownShare() {
        int unknown = 0;
        for (NodeView node : nodes.values()) {
            unknown += node.standingLoad() == null ? 1 : 0;
        }
        return nodes.isEmpty() ? 1 : (double) unknown / nodes.size(); // 1 - 2/3 is more than 1/3
    }

    /** The newest role word seen of a node. */
    public Optional<RoleWord> word(NodeId id) {
        NodeView node = nodes.get(id);
        return node == null ? Optional.empty() : Optional.ofNullable(wordOf(node));
    }

    /** Whether all nodes whose words were ever seen know words of batches. */
    public boolean areBatchesKnown() {
        return nodes.values().stream().allMatch(NodeView::knowsBatches);
    }

    /** The nodes that actively serve {@code role} with a server that can be given work, in order of id. */
    public List<NodeView> serving(Role role) {
        List<NodeView> serving = new ArrayList<>(nodes.size());
        for (NodeView node : nodes.values()) {
            RoleWord word = wordOf(node);
            if (word != null && node.isServing() && word.serves(role)) {
                serving.add(node);
            }
        }
        return Collections.unmodifiableList(serving);
    }

    /**
     * How many nodes this agent has never seen and cannot call dead. Their servers may serve in any role, as they did
     * before it began: their agents are still starting, or have ended alone.
     */
    public int unseen() {
        int unseen = 0;
        for (NodeView node : nodes.values()) {
            unseen += node instanceof NodeView.NeverSeen never && !never.isDead() ? 1 : 0;
        }
        return unseen;
    }

    /** How many nodes were seen in {@code role} and can be given no work now, those not counted whose server starts. */
    public int lost(Role role) {
        int lost = 0;
        for (NodeView node : nodes.values()) {
            RoleWord word = wordOf(node);
            lost += word != null && word.serves(role) && !node.isServing() ? 1 : 0;
        }
        return lost - starting(role);
    }

    /** How many nodes have {@code role} and servers that are still starting: they serve soon, and are not lost. */
    public int starting(Role role) {
        int starting = 0;
        for (NodeView node : nodes.values()) {
            starting += node instanceof NodeView.Known known
                            && known.isStarting()
                            && known.word().serves(role)
                    ? 1
                    : 0;
        }
        return starting;
    }

    /** The nodes under orders from or to a tier of {@code site}, dead and stranded ones left out, in order of id. */
    public List<NodeView> ordered(SiteId site) {
        List<NodeView> ordered = new ArrayList<>();
        for (NodeView node : nodes.values()) {
            RoleWord word = wordOf(node);
            boolean isGone =
                    node instanceof NodeView.Silent silent && silent.silence().isGone();
            if (word != null && !isGone && word.phase() == Phase.ORDERED && touches(word, site)) {
                ordered.add(node);
            }
        }
        return Collections.unmodifiableList(ordered);
    }

    /** The nodes under orders to leave {@code role}, of stamps above {@code after} and up to {@code until}. */
    public SortedSet<NodeId> leaving(Role role, long after, long until) {
        SortedSet<NodeId> leaving = new TreeSet<>();
        nodes.forEach((id, node) -> {
            RoleWord word = wordOf(node);
            if (word != null && word.phase() == Phase.ORDERED && word.from().equals(role)) {
                long stamp = Stamps.ordered(word.epoch());
                if (stamp > after && stamp <= until) {
                    leaving.add(id);
                }
            }
        });
        return leaving;
    }

    /**
     * The highest epoch of which there is any trace, 0 if none: in a role word, or in the files that servers run. A
     * node that is gone may have taken its word with it, while files that came of its move are still in use.
     */
    public long maxEpoch() {
        long highest = 0;
        for (NodeView node : nodes.values()) {
            RoleWord word = wordOf(node);
            long applied = appliedEpoch(node);
            highest = Math.max(highest, word == null ? 0 : word.epoch());
            highest = Math.max(highest, applied <= RoleWord.MAX_EPOCH ? applied : 0);
        }
        return highest;
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
     * once that move is active. One epoch has two renderings, and this orders them. A word of a batch that was seen in
     * part does not count: a file with its stamp would seem to have been made after the whole.
     */
    public long stamp(SiteId site, Epochs epochs) {
        long newest = 0;
        Batches batches = Batches.of(this, epochs);
        for (NodeView node : nodes.values()) {
            RoleWord word = wordOf(node);
            if (word != null && touches(word, site) && batches.isWhole(word)) {
                newest = Math.max(newest, Stamps.of(word));
            }
        }
        return newest;
    }

    /**
     * Whether no order is missing between the epoch {@code known}, up to which all was seen, and the newest whose stamp
     * {@link #stamp} would give to a site: each site takes every epoch of its own that is above all others.
     */
    public boolean isUnbrokenFrom(long known, Epochs epochs) {
        SortedSet<Long> since = new TreeSet<>();
        Set<SiteId> sites = new HashSet<>();
        for (NodeView node : nodes.values()) {
            RoleWord word = wordOf(node);
            if (word != null && word.epoch() > known) {
                since.add(word.epoch());
                Stream.of(word.from(), word.to())
                        .filter(Role.Serving.class::isInstance)
                        .forEach(role -> sites.add(((Role.Serving) role).site()));
            }
        }
        long claimed = sites.stream()
                .mapToLong(site -> Stamps.epoch(stamp(site, epochs)))
                .max()
                .orElse(0);
        long before = known;
        for (long epoch : since.headSet(claimed + 1)) {
            if (!epochs.isNext(epoch, before)) {
                return false;
            }
            before = epoch;
        }
        return true;
    }

    private static @Nullable RoleWord wordOf(NodeView node) {
        return switch (node) {
            case NodeView.Known known -> known.word();
            case NodeView.Silent silent -> silent.lastWord();
            case NodeView.NeverSeen _ -> null;
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
