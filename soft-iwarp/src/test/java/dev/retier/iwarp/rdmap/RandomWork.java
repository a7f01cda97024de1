package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random work from one node to another, and what must come of it. Each piece has a slice of both memories to itself,
 * so that the result does not depend on the order of overtaking messages.
 */
final class RandomWork {
    private static final List<WorkOpcode> OPCODES = List.of(WorkOpcode.values());

    private final Node from;
    private final Node to;
    private final SplittableRandom random;
    private final int slice;
    private final WorkOpcode[] opcodes;
    private final int[] lengths;
    private final byte[] before;
    private final byte[] beforeThere;
    private int count;
    private int messages;

    /** Messages of less than {@code slice} bytes. */
    RandomWork(Node from, Node to, int slice, SplittableRandom random) {
        this.from = from;
        this.to = to;
        this.random = random;
        this.slice = slice;
        this.opcodes = new WorkOpcode[Node.MEMORY_BYTES / slice];
        this.lengths = new int[opcodes.length];
        this.before = all(from);
        this.beforeThere = all(to);
    }

    private static byte[] all(Node node) {
        byte[] bytes = new byte[Node.MEMORY_BYTES];
        node.bytes().get(bytes);
        return bytes;
    }

    void post() {
        WorkOpcode opcode = OPCODES.get(random.nextInt(OPCODES.size()));
        int bytes = opcode.isAtomic() ? 8 : random.nextInt(slice);
        int at = count * slice;
        if (opcode == WorkOpcode.SEND || opcode == WorkOpcode.WRITE_IMMEDIATE) {
            to.receive(messages++, at, opcode == WorkOpcode.SEND ? bytes : 0);
        }
        SendWork work = from.prepare(opcode, at, bytes, to, at);
        work.fence = random.nextInt(4) == 0;
        work.solicited = random.nextBoolean();
        work.immediate = count;
        from.engine.sends().commit();
        opcodes[count] = opcode;
        lengths[count] = bytes;
        count++;
    }

    boolean finished() {
        return from.sent.size() == count && to.received.size() == messages;
    }

    void verify() {
        assertThat(from.engine.failure()).isNull();
        assertThat(to.engine.failure()).isNull();
        assertThat(from.sent).hasSize(count).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(to.received).hasSize(messages).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(from.sent).extracting(Node.Done::id).isSorted();
        assertThat(to.received).extracting(Node.Done::id).isSorted();
        for (int i = 0; i < count; i++) {
            verify(i);
        }
    }

    private void verify(int index) {
        int at = index * slice;
        byte[] here = new byte[lengths[index]];
        byte[] there = new byte[lengths[index]];
        from.bytes().get(at, here);
        to.bytes().get(at, there);
        switch (opcodes[index]) {
            case WRITE, WRITE_IMMEDIATE, SEND ->
                assertThat(there).as("piece %d", index).isEqualTo(slice(before, at, lengths[index]));
            case READ -> assertThat(here).as("piece %d", index).isEqualTo(slice(beforeThere, at, lengths[index]));
            case FETCH_ADD, COMPARE_SWAP ->
                assertThat(here).as("piece %d", index).isEqualTo(slice(beforeThere, at, 8));
        }
    }

    private static byte[] slice(byte[] bytes, int at, int length) {
        return Arrays.copyOfRange(bytes, at, at + length);
    }
}
