package dev.retier.volume.slots;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.link.Connection;
import dev.retier.link.Gathering;
import dev.retier.link.LinkHost;
import dev.retier.link.OneSidedQueue;
import dev.retier.link.Operations;
import dev.retier.link.QueuePair;
import dev.retier.link.Work;
import dev.retier.volume.table.TableGrant;
import dev.retier.volume.table.VolumeTable;
import dev.retier.volume.table.VolumeTable.Reading;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/** A connection by which a server's table is read, by one read under way at a time. Thread-safe. */
public final class TableLink implements Connection {
    /** What its queue pair needs. */
    public static final QueuePair.Sizes SIZES = new QueuePair.Sizes(2, 2, 1);

    private final Operations operations;
    private final TableGrant grant;
    private final Consumer<String> onBroken;
    private final OneSidedQueue queue;
    private final IbvMr registration;
    /** Of a read, as long as none is under way. */
    private final BlockingQueue<MemorySegment> free = new ArrayBlockingQueue<>(1);

    /** Of a connection that is ready. */
    public TableLink(LinkHost.Ready ready, Operations operations, TableGrant grant) throws IOException {
        this.operations = operations;
        this.grant = grant;
        this.onBroken = ready.onBroken();
        this.queue = new OneSidedQueue(ready, operations.completions(), operations::nowNanos, 1);
        MemorySegment memory = Arena.ofAuto().allocate(VolumeTable.bytes(grant.rows()), Long.BYTES);
        this.registration = ready.pair().register(memory, IbvMr.IBV_ACCESS_LOCAL_WRITE);
        free.add(memory);
    }

    /**
     * Reads the header and {@code rows} rows by one read; empty if that has not come by then, or another one is under
     * way.
     */
    public Optional<Reading> read(int rows, long deadlineNanos) {
        MemorySegment memory = free.poll();
        if (memory == null) {
            return Optional.empty();
        }
        MemorySegment place = memory.asSlice(0, VolumeTable.bytes(Math.min(rows, grant.rows())));
        IbvSendWR request = QueuePair.request(IbvSendWR.IBV_WR_RDMA_READ, place, registration);
        request.getRdma().setRemote_addr(grant.address());
        request.getRdma().setRkey(grant.key());
        Gathering<TableLink> gathering = new Gathering<>();
        Work work = gathering.add(this, operations, memory, free::add);
        boolean _ = queue.reserve(1); // there is room: an operation that is over gives it back before its buffer
        queue.post(work, List.of(request));
        if (work.ending() == Work.Ending.FAILED) {
            onBroken.accept("a read failed");
        }
        List<Reading> read = new ArrayList<>(1);
        gathering.await(deadlineNanos, (_, ended) -> {
            if (ended.ending() == Work.Ending.DONE) {
                read.add(VolumeTable.parse(place.asByteBuffer()));
            }
        });
        return read.stream().findFirst();
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return queue.oldestNanos(nowNanos);
    }

    @Override
    public void immediate(int value) {
        onBroken.accept("it sent what nobody asked for");
    }

    @Override
    public void abort(String reason) {
        queue.close(reason);
        queue.end();
    }
}
