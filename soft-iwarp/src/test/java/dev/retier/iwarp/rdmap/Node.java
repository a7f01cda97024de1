package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.Fpdu;
import dev.retier.iwarp.mpa.Pipe;
import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.wire.AtomicOperands;
import dev.retier.iwarp.wire.Segment;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/** One engine with its own memory, table and completion lists; bytes go in and out by hand. */
final class Node {
    static final int MEMORY_BYTES = 1 << 20;
    static final int DOMAIN = 7;
    static final int ALL_RIGHTS = 15;

    final StagTable table;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MEMORY_BYTES);
    final MemorySegment memory = MemorySegment.ofBuffer(buffer);
    final MemoryRegion region;
    final ArrayDeque<Done> sent = new ArrayDeque<>();
    final ArrayDeque<Done> received = new ArrayDeque<>();
    final StreamEngine engine;
    private final TransmitBatch batch = new TransmitBatch();

    /** A copy of a completion. */
    record Done(long id, CompletionKind kind, WorkStatus status, int bytes, Flags flags) {}

    /** The rest of a completion. */
    record Flags(int immediate, boolean solicited, int invalidated, int error) {}

    /** How two nodes talk. */
    record Style(boolean crc, boolean markers, int mulpdu) {
        static final Style STANDARD = new Style(true, false, 1442);
    }

    Node(int stream, boolean initiator, Style style) {
        this(
                stream,
                new Agreement(initiator, style.crc, style.markers, style.markers, Set.of(), 8, 8, 0, false),
                style.mulpdu);
    }

    Node(int stream, Agreement agreement, int mulpdu) {
        table = new StagTable(new SplittableRandom(stream), 1000);
        region = register(ALL_RIGHTS);
        StreamConfig config = new StreamConfig(new StreamIdentity(stream, DOMAIN), 64, 64, 4);
        engine = new StreamEngine(config, table, c -> sent.add(copy(c)), c -> received.add(copy(c)));
        engine.start(agreement, mulpdu);
    }

    MemoryRegion register(int rights) {
        return Objects.requireNonNull(table.register(MemoryRegion.Grant.toDomain(DOMAIN, rights), buffer));
    }

    private static Done copy(Completion c) {
        Flags flags = new Flags(c.immediate, c.solicited, c.invalidatedStag, c.errorWord);
        return new Done(c.workId, c.kind, c.status, c.byteLength, flags);
    }

    ByteBuffer bytes() {
        return buffer.duplicate().order(ByteOrder.nativeOrder());
    }

    /** Posts work on {@code bytes} bytes of our memory from {@code at}, against the peer's from {@code remote}. */
    SendWork post(WorkOpcode opcode, int at, int bytes, Node peer, long remote) {
        SendWork work = prepare(opcode, at, bytes, peer, remote);
        engine.sends().commit();
        return work;
    }

    /** As {@link #post}, but the caller may change the work before it commits. */
    SendWork prepare(WorkOpcode opcode, int at, int bytes, Node peer, long remote) {
        SendWork work = Objects.requireNonNull(engine.sends().claim());
        work.workId = at;
        work.opcode = opcode;
        work.signaled = true;
        work.remoteStag = peer.region.stag();
        work.remoteOffset = peer.region.address() + remote;
        work.operands = AtomicOperands.add(1);
        work.scatter().add(region.address() + at, bytes, region.stag());
        return work;
    }

    void receive(long id, int at, int bytes) {
        ReceiveWork work = Objects.requireNonNull(engine.receives().claim());
        work.workId = id;
        work.scatter().add(region.address() + at, bytes, region.stag());
        engine.receives().commit();
    }

    /** All that the engine wants to send now, one batch. */
    byte[] output() {
        return output(Integer.MAX_VALUE);
    }

    /** As {@link #output()}, but TCP takes {@code most} bytes at most. */
    byte[] output(int most) {
        if (!engine.resume()) {
            engine.closed();
            engine.reap();
            return new byte[0];
        }
        engine.fill(batch);
        byte[] bytes = Pipe.take(batch, most);
        if (batch.isEmpty()) {
            engine.flushed();
        } else {
            engine.suspend();
        }
        engine.reap();
        return bytes;
    }

    /** Takes bytes as TCP would deliver them. */
    void input(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            ByteBuffer[] spaces = engine.spaces();
            for (int i = 0; i < engine.spaceCount(); i++) {
                int count = Math.min(spaces[i].remaining(), bytes.length - at);
                spaces[i].put(bytes, at, count);
                at += count;
            }
            engine.arrived();
        }
        engine.reap();
    }

    /** Takes one ULPDU as the decoder would hand it over. */
    void take(byte[] ulpdu) {
        engine.receive(ByteBuffer.wrap(ulpdu), 0, ulpdu.length);
    }

    /** Takes one segment with its payload. */
    void take(Segment header, byte... payload) {
        take(ulpdu(header, payload));
    }

    /** A segment's bytes. */
    static byte[] ulpdu(Segment header, byte... payload) {
        ByteBuffer buffer = ByteBuffer.allocate(header.headerLength() + payload.length);
        header.emit(buffer, 0);
        buffer.put(header.headerLength(), payload);
        return buffer.array();
    }

    /** The FPDU of a ULPDU, on a connection without CRC and markers. */
    static byte[] fpdu(byte[] ulpdu) {
        ByteBuffer fpdu = ByteBuffer.allocate(Fpdu.totalLength(ulpdu.length));
        return fpdu.putShort((short) ulpdu.length).put(ulpdu).array();
    }

    /** Bytes of buffers. */
    int heldBytes() {
        return engine.heldBytes() + batch.capacity();
    }

    /** Moves bytes both ways until both are silent. Returns false if that takes more than {@code rounds} rounds. */
    static boolean settle(Node one, Node two, int rounds) {
        for (int i = 0; i < rounds; i++) {
            byte[] there = one.output();
            two.input(there);
            byte[] back = two.output();
            one.input(back);
            if (there.length == 0 && back.length == 0) {
                return true;
            }
        }
        return false;
    }
}
