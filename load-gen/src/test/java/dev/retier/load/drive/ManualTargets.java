package dev.retier.load.drive;

import dev.retier.load.target.TargetList;
import dev.retier.load.target.source.TargetSource;
import java.util.function.Consumer;

/** Reports what a test tells it to. */
final class ManualTargets implements TargetSource {
    private final TargetList first;
    private Consumer<TargetList> listener = _ -> {};

    ManualTargets(TargetList first) {
        this.first = first;
    }

    void publish(TargetList list) {
        listener.accept(list);
    }

    @Override
    public Subscription follow(String site, Consumer<TargetList> newListener) {
        listener = newListener;
        listener.accept(first);
        return () -> {};
    }

    @Override
    public String description() {
        return "manual";
    }
}
