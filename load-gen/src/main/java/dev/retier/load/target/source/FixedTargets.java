package dev.retier.load.target.source;

import dev.retier.load.target.Target;
import dev.retier.load.target.TargetList;
import java.util.List;
import java.util.function.Consumer;

/** Reports one list, once. */
record FixedTargets(List<Target> targets) implements TargetSource {
    FixedTargets {
        targets = List.copyOf(targets);
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("no targets; give at least one host:port");
        }
    }

    @Override
    public Subscription follow(String site, Consumer<TargetList> listener) {
        listener.accept(new TargetList(0, site, targets));
        return () -> {};
    }

    @Override
    public String description() {
        return "fixed list of " + targets.size();
    }
}
