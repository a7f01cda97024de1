package dev.retier.volume.serve;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.disk.Scrub;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Looked;
import dev.retier.volume.wire.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at parts of volumes for clients that ask for one after the other. Thread-safe. */
final class Looks {
    private static final Logger LOG = LoggerFactory.getLogger(Looks.class);

    private final Pool pool;
    private final Tally tally;

    Looks(Pool pool, Tally tally) {
        this.pool = pool;
        this.tally = tally;
    }

    /** Reads and proves a part. */
    void scrub(Asked asked) {
        Request request = asked.request();
        long all = blocks(request);
        Damage damage = tally.damage(request.volume());
        long before = damage.findings();
        Scrub scrub = pool.scrub();
        if (request.offset() == 0) {
            scrub.begin();
        }
        Scrub.Part part = scrub.part(request.volume(), request.offset(), request.isOnce());
        tally.scrubbed(request.volume(), part.bytes(), part.broken());
        damage.looked(asked.client().life(), before, request.offset(), part, all);
        answer(asked, part);
    }

    /** Gives back what of a part is all zeros; what was given back is free on the disk with the last one. */
    void trim(Asked asked) throws IOException {
        Request request = asked.request();
        long all = blocks(request);
        if (request.offset() == 0) {
            try {
                pool.checkpoint(); // what the journal alone has is in no cluster
            } catch (NoSpaceException full) {
                LOG.debug("the rest can be given back all the same", full);
            }
        }
        Scrub.Part part = pool.trim(request.volume(), request.offset());
        if (part.next() >= all) {
            pool.checkpoint();
        }
        answer(asked, part);
    }

    /** How many the volume has, of which that is one. */
    private long blocks(Request request) {
        long blocks =
                Geometry.blocks(Named.entry(pool.catalogue(), request.volume()).bytes());
        if (request.offset() < 0 || request.offset() >= blocks) {
            throw new IllegalArgumentException("block " + request.offset() + " of " + blocks);
        }
        return blocks;
    }

    private static void answer(Asked asked, Scrub.Part part) {
        ByteBuffer room = asked.room();
        new Looked(part.next(), part.bytes(), part.broken()).put(room);
        asked.done(room.position() - Answer.BYTES);
    }
}
