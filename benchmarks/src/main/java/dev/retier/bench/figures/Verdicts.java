package dev.retier.bench.figures;

import dev.retier.report.Table;
import java.util.ArrayList;
import java.util.List;

/** What each figure must show, and whether it does. Not thread-safe. */
final class Verdicts {
    private final List<Verdict> all = new ArrayList<>();

    private record Verdict(String id, String wanted, String source, String ours, boolean isMet) {}

    /** One demand and what came of it. */
    void judge(String id, String wanted, String source, String ours, boolean isMet) {
        all.add(new Verdict(id, wanted, source, ours, isMet));
    }

    /** How many are not met. */
    long missed() {
        return all.stream().filter(verdict -> !verdict.isMet).count();
    }

    int count() {
        return all.size();
    }

    Table table() {
        Table table = new Table("figure", "ours_must_show", "source", "ours", "judged");
        all.forEach(verdict ->
                table.row(verdict.id, verdict.wanted, verdict.source, verdict.ours, verdict.isMet ? "met" : "MISSED"));
        return table;
    }
}
