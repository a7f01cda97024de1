package dev.retier.bench.iwarp;

import dev.retier.bench.Interval;
import dev.retier.bench.Progress;
import dev.retier.bench.Stats;
import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What TCP itself takes on this machine: the ping-pong that iWARP is set beside, the same by the system's own calls,
 * which iWARP uses, and the same in C.
 */
final class Floor {
    private static final int TRIPS = 3_000;
    private static final double MICRO = 1e3;

    private final Turns turns;

    Floor(Turns turns) {
        this.turns = turns;
    }

    private record Three(double java, double calls, double c) {}

    /** All in turn; empty where there is no compiler. */
    Optional<Table> measure() throws Exception {
        Optional<CPingPong> compiled = CPingPong.compiled();
        if (compiled.isEmpty()) {
            return Optional.empty();
        }
        Progress.tell("measuring: the floor");
        try (CPingPong c = compiled.get()) {
            List<List<Three>> blocks =
                    turns.rounds().run(1, turns.blocks(), _ -> block(c)).all();
            List<Three> all = blocks.stream().flatMap(List::stream).toList();
            Table table = new Table("what", "us", "ratio", "ratio_from", "ratio_to");
            table.row("Java, SocketChannel", Stats.of(all, Three::java).median(), 1, 1, 1);
            row(table, "Java, send and recv by java.lang.foreign", blocks, Three::calls);
            row(table, "C, send and recv", blocks, Three::c);
            return Optional.of(table);
        }
    }

    private static void row(Table table, String what, List<List<Three>> blocks, ToDoubleFunction<Three> of) {
        Interval ratio = Interval.ofMedian(blocks.stream()
                .map(block -> Stats.of(block, three -> of.applyAsDouble(three) / three.java))
                .toList());
        double micros =
                Stats.of(blocks.stream().flatMap(List::stream).toList(), of).median();
        table.row(what, micros, ratio.median(), ratio.from(), ratio.to());
    }

    private List<Three> block(CPingPong c) throws Exception {
        List<Three> all = new ArrayList<>();
        try (Work java = TcpWork.requests(4, 4, Waiting.POLL).open();
                Work calls = new CallsPingPong()) {
            int count = Sample.fitting(java, turns.time());
            int callsCount = Sample.fitting(calls, turns.time());
            for (int turn = 0; turn < turns.turns(); turn++) {
                all.add(new Three(micros(java, count), micros(calls, callsCount), c.micros(TRIPS)));
            }
        }
        return all;
    }

    private static double micros(Work work, int count) throws Exception {
        return Sample.timed(work, count).nanosPerOperation() / MICRO / 2;
    }
}
