package dev.retier.bench.all;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Makes records anew, one after the other, whatever becomes of the one before. Stateless. */
final class Renewal {
    private static final String RECORDED = "recorded";

    private Renewal() {}

    /** Runs one measurement and keeps its result. */
    @FunctionalInterface
    interface Making {
        /** Whether all went well. */
        boolean make(KnownRecord record) throws IOException, InterruptedException;
    }

    /** Tells how each went; returns whether none failed. What the machine cannot make is skipped, and is no failure. */
    static boolean run(List<Due> dues, Making making, Consumer<String> tell) throws InterruptedException {
        List<String> failed = new ArrayList<>();
        for (int index = 0; index < dues.size(); index++) {
            Due due = dues.get(index);
            String name = due.record().name();
            String place = (index + 1) + " of " + dues.size() + ", " + name + ": ";
            if (!due.missing().isEmpty()) {
                tell.accept(place + "skipped, as there is no " + String.join(", no ", due.missing()));
                continue;
            }
            tell.accept(
                    place + "./retier bench " + String.join(" ", due.record().arguments()));
            long begunNanos = System.nanoTime();
            String end = end(due.record(), making);
            long seconds = Duration.ofNanos(System.nanoTime() - begunNanos).toSeconds();
            tell.accept(place + end + " after " + seconds + " s");
            if (!end.equals(RECORDED)) {
                failed.add(name);
            }
        }
        if (!failed.isEmpty()) {
            tell.accept("failed: " + String.join(", ", failed));
        }
        return failed.isEmpty();
    }

    private static String end(KnownRecord record, Making making) throws InterruptedException {
        try {
            return making.make(record) ? RECORDED : "FAILED";
        } catch (IOException e) {
            return "FAILED: " + e;
        }
    }
}
