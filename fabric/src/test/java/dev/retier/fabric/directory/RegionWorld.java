package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A cell in one thread: any event that is due may come next, messages may be lost, doubled and late, connections may
 * break and nodes may die and come back with nothing.
 */
final class RegionWorld {
    final SplittableRandom random;
    final Map<NodeId, SimNode> nodes = new TreeMap<>();
    final Names names;
    final RegionOracle oracle = new RegionOracle();
    boolean faults = true;
    private int lives;
    private final List<Runnable> due = new ArrayList<>();
    private final Set<Set<NodeId>> broken = new HashSet<>();
    /** What tells callers that their connection broke. */
    private final Map<Set<NodeId>, List<Runnable>> waiting = new HashMap<>();

    RegionWorld(SplittableRandom random, int size) {
        this.random = random;
        List<NodeId> ids = IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
        this.names = new Names(ids);
        ids.forEach(id -> nodes.put(id, new SimNode(this, id)));
        ids.forEach(one -> ids.forEach(other -> later(() -> node(one).report(other))));
    }

    int nextLife() {
        return ++lives;
    }

    SimNode node(NodeId id) {
        return Objects.requireNonNull(nodes.get(id));
    }

    SimNode any() {
        List<SimNode> all = List.copyOf(nodes.values());
        return all.get(random.nextInt(all.size()));
    }

    boolean chance(double probability) {
        return faults && random.nextDouble() < probability;
    }

    void later(Runnable event) {
        due.add(event);
    }

    /** Lets one event happen; false if none is due. */
    boolean step() {
        if (due.isEmpty()) {
            return false;
        }
        int at = random.nextInt(due.size());
        Runnable event = due.get(at);
        due.set(at, due.getLast());
        due.removeLast();
        event.run();
        return true;
    }

    void drain() {
        for (int i = 0; i < 1_000_000; i++) {
            if (!step()) {
                return;
            }
        }
        throw new AssertionError("the cell does not come to rest");
    }

    boolean isLinked(NodeId one, NodeId other) {
        return one.equals(other) || !broken.contains(Set.of(one, other));
    }

    void breakLink(NodeId one, NodeId other) {
        if (!one.equals(other) && broken.add(Set.of(one, other))) {
            node(one).disconnected(other);
            node(other).disconnected(one);
            List<Runnable> failed = waiting.remove(Set.of(one, other));
            if (failed != null) {
                due.addAll(failed);
            }
        }
    }

    void mendLink(NodeId one, NodeId other) {
        if (!one.equals(other) && broken.remove(Set.of(one, other))) {
            later(() -> node(one).report(other));
            later(() -> node(other).report(one));
        }
    }

    void restart(NodeId id) {
        nodes.keySet().forEach(other -> breakLink(id, other));
        oracle.died(node(id).memory.words.keySet());
        node(id).restart();
        announceTo(id);
        nodes.keySet().forEach(other -> mendLink(id, other));
    }

    void heal() {
        faults = false;
        for (NodeId one : nodes.keySet()) {
            nodes.keySet().forEach(other -> mendLink(one, other));
        }
    }

    private void announceTo(NodeId id) {
        later(() -> node(id).report(id));
    }

    /** No message outlives the process of either end. */
    private record Connection(int fromLife, int toLife) {}

    /** Carries {@code request} there and the answer back, or neither, or only the one. */
    void call(SimNode from, NodeId to, RegionRequest request, Consumer<RegionAnswer> then) {
        RegionRequest sent =
                DirectoryMessages.request(DirectoryMessages.emit(request)).orElseThrow();
        boolean[] answered = new boolean[1];
        Consumer<RegionAnswer> once = answer -> {
            if (!answered[0]) {
                answered[0] = true;
                then.accept(answer);
            }
        };
        boolean remote = !from.id.equals(to);
        Connection connection = new Connection(from.life, node(to).life);
        RegionAnswer away = new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, "no answer from " + to);
        if (remote) {
            waiting.computeIfAbsent(Set.of(from.id, to), _ -> new ArrayList<>()).add(() -> once.accept(away));
        }
        boolean arrives = !remote || (isLinked(from.id, to) && !chance(0.03));
        if (arrives) {
            int times = remote && chance(0.03) ? 2 : 1;
            for (int i = 0; i < times; i++) {
                later(() -> deliver(from, to, connection, sent, answer -> {
                    if (!remote || !chance(0.03)) {
                        later(() -> once.accept(answer));
                    } else {
                        later(() -> once.accept(away));
                    }
                }));
            }
        }
        if (!arrives || (remote && chance(0.05))) {
            later(() -> once.accept(away));
        }
    }

    private void deliver(
            SimNode from, NodeId to, Connection connection, RegionRequest request, Consumer<RegionAnswer> back) {
        if (!isLinked(from.id, to) || !connection.equals(new Connection(from.life, node(to).life))) {
            back.accept(new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, "no way to " + to));
            return;
        }
        node(to).handle(
                        from.id,
                        request,
                        answer -> back.accept(DirectoryMessages.answer(DirectoryMessages.emit(answer))
                                .orElseThrow()));
    }

    /** Does what {@code step} says, until its end. */
    void perform(SimNode at, Reaction step, Consumer<RegionAnswer> end) {
        int life = at.life;
        switch (step) {
            case RegionAnswer answer -> end.accept(answer);
            case Reaction.Perform(List<? extends Action> effects, var then) -> {
                RegionAnswer[] answers = new RegionAnswer[effects.size()];
                int[] missing = {effects.size()};
                Runnable whenAll = () -> {
                    if (at.life == life) {
                        perform(at, then.apply(Arrays.asList(answers)), end);
                    }
                };
                if (effects.isEmpty()) {
                    later(whenAll);
                }
                for (int i = 0; i < answers.length; i++) {
                    int index = i;
                    at.effect(effects.get(i), answer -> {
                        answers[index] = answer;
                        if (--missing[0] == 0) {
                            whenAll.run();
                        }
                    });
                }
            }
        }
    }
}
