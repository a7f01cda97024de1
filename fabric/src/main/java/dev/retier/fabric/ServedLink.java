package dev.retier.fabric;

import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.link.LinkHost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A connection on which a peer calls this node. Thread-safe. */
final class ServedLink extends RingLink implements Workers.Client {
    private final Workers workers;
    /** Guarded by this. */
    private final List<Runnable> whenOver = new ArrayList<>();

    ServedLink(LinkHost.Ready ready, FabricLimits limits, Workers workers) throws IOException {
        super(ready, limits);
        this.workers = workers;
    }

    @Override
    public void whenOver(Runnable action) {
        synchronized (this) {
            if (isOpen()) {
                whenOver.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public void answer(Message answer) {
        send(answer);
    }

    @Override
    public void abort(String reason) {
        super.abort(reason);
        List<Runnable> actions;
        synchronized (this) {
            actions = List.copyOf(whenOver);
            whenOver.clear();
        }
        workers.gone(this);
        actions.forEach(Runnable::run);
    }

    @Override
    void received(Message message) throws ProtocolError {
        switch (message.kind()) {
            case OPEN ->
                RemotePlace.parse(message.body())
                        .ifPresentOrElse(
                                this::connect, () -> ready.onBroken().accept("it names no place for its answers"));
            case CALL, ONE_WAY -> workers.arrived(this, message);
            case CANCEL -> workers.cancel(this, message.call());
            case ANSWER -> ready.onBroken().accept("it answers, but was not asked");
        }
    }
}
