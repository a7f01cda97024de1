package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.FpduDecoder;
import dev.retier.iwarp.testbed.Seeds;
import dev.retier.testsupport.Seeded;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Mutated valid streams: no exception escapes, no byte outside of a region changes, no memory grows without bound.
 * CRCs are made good again after the mutation, so that it reaches the layers above.
 */
class FuzzTest {
    private static final int GUARD = 4096;
    private static final List<WorkOpcode> OPCODES = List.of(WorkOpcode.values());

    @Seeded(tries = 400)
    void shouldKeepItsMemory_whenStreamIsMutated(SplittableRandom random) {
        boolean crc = random.nextBoolean();
        boolean markers = random.nextInt(4) == 0;
        Node.Style style = new Node.Style(crc, markers, random.nextInt(128, random.nextInt(4) == 0 ? 20_000 : 3000));
        Node victim = new Node(2, false, style);
        // The peer may reach the middle of the victim's memory only; receives lie there, too.
        var middle = victim.memory.asSlice(GUARD, Node.MEMORY_BYTES - 2L * GUARD);
        victim.table.deregister(victim.region);
        MemoryRegion open = Objects.requireNonNull(
                victim.table.register(MemoryRegion.Grant.toDomain(Node.DOMAIN, Node.ALL_RIGHTS), middle));
        byte[] stream = validStream(victim, open, style, random);
        List<byte[]> pieces = new ArrayList<>();
        Seeds.split(mutate(stream, crc && !markers, random), random, pieces);
        for (byte[] piece : pieces) {
            victim.input(piece);
            victim.output();
        }
        verify(victim);
    }

    @Seeded(tries = 200)
    void shouldKeepItsMemory_whenStreamIsNoise(SplittableRandom random) {
        Node victim = new Node(2, false, new Node.Style(false, random.nextBoolean(), 1442));
        byte[] noise = new byte[random.nextInt(1, 20_000)];
        random.nextBytes(noise);
        victim.input(noise);
        victim.output();
        assertThat(victim.engine.state()).isIn(QpState.RTS, QpState.TERMINATE);
    }

    private static void verify(Node victim) {
        byte[] low = new byte[GUARD];
        byte[] high = new byte[GUARD];
        victim.bytes().get(0, low);
        victim.bytes().get(Node.MEMORY_BYTES - GUARD, high);
        assertThat(low).containsOnly(0);
        assertThat(high).containsOnly(0);
        assertThat(victim.heldBytes()).isLessThan(FpduDecoder.MAX_CAPACITY + (1 << 19));
    }

    private static byte[] validStream(Node victim, MemoryRegion open, Node.Style style, SplittableRandom random) {
        Node sender = new Node(1, true, style);
        Arrays.stream(new int[] {0, 1, 2, 3}).forEach(i -> post(victim, open, i));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < 12; i++) {
            WorkOpcode opcode = OPCODES.get(random.nextInt(OPCODES.size()));
            int bytes = opcode.isAtomic() ? 8 : random.nextInt(random.nextInt(4) == 0 ? 20_000 : 4000);
            SendWork work = sender.prepare(opcode, 0, bytes, victim, 0);
            work.remoteStag = open.stag();
            work.remoteOffset = open.address() + 8L * random.nextInt(1000);
            sender.engine.sends().commit();
            stream.writeBytes(sender.output());
        }
        return stream.toByteArray();
    }

    private static void post(Node victim, MemoryRegion open, int id) {
        ReceiveWork work = Objects.requireNonNull(victim.engine.receives().claim());
        work.workId = id;
        work.scatter().add(open.address() + id * 4096L, 4096, open.stag());
        victim.engine.receives().commit();
    }

    private static byte[] mutate(byte[] stream, boolean repair, SplittableRandom random) {
        byte[] bytes = stream.clone();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 ->
                    Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) (random.nextBoolean() ? 0 : -1));
                default -> bytes = without(bytes, at, random.nextInt(1, 40));
            }
        }
        return repair ? repaired(bytes) : bytes;
    }

    private static byte[] without(byte[] bytes, int at, int count) {
        if (bytes.length < 100) {
            return bytes;
        }
        int end = Math.min(bytes.length, at + count);
        byte[] shorter = Arrays.copyOf(bytes, bytes.length - (end - at));
        System.arraycopy(bytes, end, shorter, at, bytes.length - end);
        return shorter;
    }

    /** Walks the lengths as the receiver will and writes good CRCs. */
    private static byte[] repaired(byte[] bytes) {
        int at = 0;
        while (at + 2 <= bytes.length) {
            int length = ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
            int covered = (2 + length + 3) / 4 * 4;
            if (at + covered + 4 > bytes.length) {
                break;
            }
            CRC32C sum = new CRC32C();
            sum.update(bytes, at, covered);
            for (int i = 0; i < 4; i++) {
                bytes[at + covered + i] = (byte) (sum.getValue() >> (8 * i));
            }
            at += covered + 4;
        }
        return bytes;
    }
}
