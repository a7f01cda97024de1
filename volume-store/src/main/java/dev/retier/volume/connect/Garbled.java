package dev.retier.volume.connect;

import dev.retier.volume.session.Outstanding.Asked;
import dev.retier.volume.wire.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Requests whose data, or whose answer's, came as something else than was sent: each is asked for once more, over
 * whatever connection, and fails then. Guarded by its session's lock.
 */
final class Garbled {
    private static final Logger LOG = LoggerFactory.getLogger(Garbled.class);

    private final String server;
    /** Those that were asked for again, by their sequence numbers. */
    private final Set<Long> again = new HashSet<>();

    private long answers;

    Garbled(String server) {
        this.server = server;
    }

    /** Whether it has not happened to this request before; from now on it has. */
    boolean isFirst(Asked<Ticket> asked) {
        return again.add(asked.sequence());
    }

    /** The data of its answer is not what was sent; what that is to be taken for. */
    Status answer(Asked<Ticket> asked) {
        answers++;
        boolean isSecond = again.contains(asked.sequence());
        LOG.atLevel(isSecond ? Level.ERROR : Level.INFO)
                .log(
                        "the data of an answer of {} is not what its checksum says ({} of volume {} at {}): {}; {} such"
                                + " answers so far",
                        server,
                        asked.what().operation(),
                        asked.what().volume(),
                        asked.what().said().offset(),
                        isSecond ? "for the second time, so that it fails" : "it is asked for again",
                        answers);
        return Status.BAD_DATA;
    }

    /** Why a request fails whose answer came so twice, for people. */
    static ByteBuffer why() {
        return StandardCharsets.UTF_8.encode("the data of its answer is not what its checksum says, though it was"
                + " asked for twice: look at the network between server and client");
    }

    /** It has ended. */
    void ended(Asked<Ticket> asked) {
        again.remove(asked.sequence());
    }
}
