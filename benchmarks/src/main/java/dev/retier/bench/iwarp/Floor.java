package dev.retier.bench.iwarp;

import dev.retier.bench.Interval;
import dev.retier.bench.Progress;
import dev.retier.bench.Stats;
import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What TCP itself takes on this machine: the ping-pong that iWARP is set beside, and the same in C. */
final class Floor {
    private static final int TRIPS = 3_000;
    private static final double MICRO = 1e3;

    private final Turns turns;

    Floor(Turns turns) {
        this.turns = turns;
    }

    private record Pair(double java, double c) {}

    /** Both, in turn; empty where there is no compiler. */
    Optional<Table> measure() throws Exception {
        Optional<CPingPong> compiled = CPingPong.compiled();
        if (compiled.isEmpty()) {
            return Optional.empty();
        }
        Progress.tell("measuring: the floor");
        try (CPingPong c = compiled.get()) {
            List<List<Pair>> blocks =
                    turns.rounds().run(1, turns.blocks(), _ -> block(c)).all();
            List<Pair> all = blocks.stream().flatMap(List::stream).toList();
            Interval ratio = Interval.ofMedian(blocks.stream()
                    .map(block -> Stats.of(block, pair -> pair.c / pair.java))
                    .toList());
            Table table = new Table("what", "us", "ratio", "ratio_from", "ratio_to");
            table.row("Java, SocketChannel", Stats.of(all, Pair::java).median(), 1, 1, 1);
            table.row("C, send and recv", Stats.of(all, Pair::c).median(), ratio.median(), ratio.from(), ratio.to());
            return Optional.of(table);
        }
    }

    private List<Pair> block(CPingPong c) throws Exception {
        List<Pair> all = new ArrayList<>();
        try (Work java = TcpWork.requests(4, 4, Waiting.POLL).open()) {
            int count = Sample.fitting(java, turns.time());
            for (int turn = 0; turn < turns.turns(); turn++) {
                double micros = Sample.timed(java, count).nanosPerOperation() / MICRO / 2;
                all.add(new Pair(micros, c.micros(TRIPS)));
            }
        }
        return all;
    }
}
