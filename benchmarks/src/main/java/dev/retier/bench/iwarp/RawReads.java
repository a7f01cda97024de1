package dev.retier.bench.iwarp;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import dev.retier.bench.Stats;
import java.io.IOException;
import java.time.Duration;

/**
 * One-sided reads by the verbs alone, both ends in this process: nothing that reads over this transport is faster. Both
 * ends look for {@code 20} us and sleep then, as what ships does. Not thread-safe.
 */
public final class RawReads implements AutoCloseable {
    private static final int READ = IbvSendWR.IBV_WR_RDMA_READ;

    private final Layout layout;
    private final IwarpPair pair;
    private final SVCPostSend prepared;

    /** Of so many bytes. */
    public RawReads(int bytes) throws Exception {
        layout = new Layout(bytes);
        pair = new IwarpPair(true, Waiting.ADAPTIVE, layout.memoryBytes());
        prepared = pair.client.prepare(READ, layout.sink(), bytes, target(), Side.SIGNALED);
    }

    private Side.Target target() {
        return pair.server.target(layout.source());
    }

    /** The time of each read in microseconds, one at a time, into memory that was registered before. */
    public Stats micros(Duration time) throws Exception {
        return Stats.micros(time, () -> {
            prepared.execute();
            pair.client.await(1);
        });
    }

    /** The same, where each read registers its memory, makes its work request, and gives the memory back. */
    public Stats registeringMicros(Duration time) throws Exception {
        return Stats.micros(time, () -> {
            Side client = pair.client;
            var memory = client.memory.slice(layout.sink(), layout.bytes());
            IbvMr region = client.endpoint
                    .getPd()
                    .regMr(memory, Side.ALL_RIGHTS)
                    .execute()
                    .free()
                    .getMr();
            client.prepare(READ, region, layout.bytes(), target()).execute();
            client.await(1);
            region.deregMr().execute().free();
        });
    }

    @Override
    public void close() throws IOException {
        pair.close();
    }
}
