package dev.retier.link;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** One end reads what the other has registered, as often as is asked. */
final class Reads {
    final TwoEnds ends;
    final Completions queue;
    private final List<Long> told;
    private final MemorySegment remote = TwoEnds.word();
    final IbvMr theirs;

    /** Of which {@code told} gets the ids that are expected and have ended. */
    Reads(VerbsWorld world, List<Long> told, int atOnce) throws IOException {
        this.told = told;
        ends = new TwoEnds(world, new QueuePair.Sizes(atOnce, 2, 1));
        queue = ends.sends;
        theirs = ends.answering.register(remote, IbvMr.IBV_ACCESS_REMOTE_READ);
    }

    void post(long id) throws IOException {
        IbvSendWR read = ends.read(remote, theirs);
        read.setWr_id(id);
        ends.asking.post(List.of(read));
    }

    long expectAndPost() throws IOException {
        long id = queue.nextId();
        queue.expect(id, (_, _) -> told.add(id));
        post(id);
        return id;
    }

    /** Whether a thread that sleeps on the queue would be woken now. */
    boolean wakes() throws IOException {
        return queue.queue().getChannel().getCqEvent(queue.queue(), 0);
    }
}
