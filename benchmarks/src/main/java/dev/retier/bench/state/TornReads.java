package dev.retier.bench.state;

import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import dev.retier.report.Table;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.slot.SlotImage;
import dev.retier.state.slot.SlotLayout;
import dev.retier.state.slot.SlotWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Copies a slot, as an RDMA read does, while its writer publishes without a pause, and judges each copy. Every field
 * of the n-th record follows from n, so a record put together from two shows.
 *
 * @param tries copies judged
 * @param torn refused as torn
 * @param whole taken for whole, and whole
 * @param accepted taken for whole, and not; must be 0
 * @param written records published meanwhile
 * @param seconds that it took
 */
record TornReads(long tries, long torn, long whole, long accepted, long written, double seconds) {
    private static final NodeId NODE = new NodeId(1);
    private static final int SHARES = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    static TornReads run(long tries) throws InterruptedException {
        MemorySegment slot = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, SlotLayout.ALIGNMENT_BYTES);
        Writer writer = new Writer(new SlotWriter(slot, new Identity(NODE, 1), RoleWord.active(1, 0, Role.SPARE)));
        Thread thread = Thread.ofPlatform().name("torn-writer").daemon().start(writer);
        try {
            return read(slot, tries, writer);
        } finally {
            writer.open = false;
            thread.join();
        }
    }

    private static TornReads read(MemorySegment slot, long tries, Writer writer) {
        MemorySegment copy = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, Long.BYTES);
        long torn = 0;
        long whole = 0;
        long accepted = 0;
        long begun = System.nanoTime();
        for (long i = 0; i < tries; i++) {
            MemorySegment.copy(slot, 0, copy, 0, SlotLayout.LENGTH_BYTES);
            switch (SlotImage.parse(copy, NODE)) {
                case SlotImage.Torn _ -> torn++;
                case SlotImage.Whole image when image.load().equals(numbered(image.heartbeat())) -> whole++;
                case SlotImage.Whole _, SlotImage.Malformed _ -> accepted++;
                case SlotImage.Silent _ -> {}
            }
        }
        double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        return new TornReads(tries, torn, whole, accepted, writer.written, seconds);
    }

    private static LoadRecord numbered(long number) {
        double share = (double) (number % SHARES) / SHARES;
        int small = (int) (number & Integer.MAX_VALUE);
        return new LoadRecord(
                number, LoadRecord.Health.UP, share, 1 - share, share / 2, number, small, 2.0 * number, 0);
    }

    String sentence() {
        return String.format(
                Locale.ROOT,
                "%,d copies of a slot judged while its writer published %,d records: %,d whole, %,d refused as torn, %d"
                        + " torn ones accepted.",
                tries,
                written,
                whole,
                torn,
                accepted);
    }

    Table table() {
        return new Table("tries", "whole", "refused", "accepted", "records_written", "seconds")
                .row(tries, whole, torn, accepted, written, seconds);
    }

    /** Publishes as fast as it can. */
    private static final class Writer implements Runnable {
        private final SlotWriter slot;
        private volatile boolean open = true;
        private volatile long written;

        Writer(SlotWriter slot) {
            this.slot = slot;
        }

        @Override
        public void run() {
            long number = 0;
            while (open) {
                slot.publish(numbered(++number));
                written = number;
            }
        }
    }
}
