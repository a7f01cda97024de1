package dev.retier.volume.serve;

import dev.retier.volume.wire.Operation;
import java.time.Duration;

/** Hears how long what a server does takes. Called by its threads: must not block. */
public interface ServerListener {
    /** Nobody. */
    ServerListener NONE = new ServerListener() {
        @Override
        public void answered(Operation operation, Duration took) {}

        @Override
        public void quiesced(Duration waited) {}
    };

    /** A request was answered, whatever the answer; it was its turn so long ago. */
    void answered(Operation operation, Duration took);

    /** A client has waited so long for what ran of a volume before. */
    void quiesced(Duration waited);
}
