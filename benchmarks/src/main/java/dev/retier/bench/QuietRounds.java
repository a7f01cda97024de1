package dev.retier.bench;

import static dev.retier.bench.RoundRule.Fate.REPEATED;

import dev.retier.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Runs rounds by the {@link RoundRule}, one rule for all rounds of a measurement. Not thread-safe. */
public final class QuietRounds {
    private static final double PERCENT = 100;

    private final RoundRule rule;
    private double mostShare;
    private boolean isUsed;

    /** Measures once. */
    @FunctionalInterface
    public interface Round<T> {
        /**
         * One round.
         *
         * @param number from 0; of rounds that warm up, below 0; a repeated round has the number of the one it replaces
         */
        T run(int number) throws Exception;
    }

    /**
     * The rounds that count.
     *
     * @param all in their order
     * @param othersShare the greatest share of the machine that other processes took in one of them, 0 to 1
     */
    public record Kept<T>(List<T> all, double othersShare) {
        /** Copies the list. */
        public Kept {
            all = List.copyOf(all);
        }

        /**
         * Rounds and what others took of the machine in each of them.
         *
         * @param shares one for each round, 0 to 1; NaN where the system does not tell
         */
        static <T> Kept<T> of(List<T> all, List<Double> shares) {
            double most = 0;
            for (double share : shares) {
                most = Double.isNaN(share) ? most : Math.max(most, share);
            }
            return new Kept<>(all, most);
        }

        /** {@code met} or {@code missed}, or {@code undecided} if others disturbed one of these rounds. */
        public String verdict(boolean isMet) {
            if (RoundRule.isDisturbed(othersShare)) {
                return "undecided";
            }
            return isMet ? "met" : "missed";
        }

        /** The same, and {@code undecided} also where the figures say neither. */
        public String verdict(boolean isMet, boolean isMissed) {
            return isMet || isMissed ? verdict(isMet) : "undecided";
        }
    }

    /** Rounds that are repeated when they were disturbed, for so long in all; zero: never. */
    public QuietRounds(Duration patience) {
        rule = new RoundRule(patience);
    }

    /**
     * Runs rounds until {@code count} of them count, after {@code warmUps} that never do.
     *
     * @throws Exception what a round throws
     */
    public <T> Kept<T> run(int warmUps, int count, Round<T> round) throws Exception {
        for (int number = -warmUps; number < 0; number++) {
            round.run(number);
        }
        List<T> all = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        while (all.size() < count) {
            Interference before = Interference.now();
            long beganNanos = System.nanoTime();
            T measured = round.run(all.size());
            double share = before.othersShare();
            if (rule.judge(share, System.nanoTime() - beganNanos) == REPEATED) {
                Progress.tell("repeating a round: other processes took %.0f %% of the processors (%d min of repeats)"
                        .formatted(share * PERCENT, TimeUnit.NANOSECONDS.toMinutes(rule.repeatedNanos())));
            } else {
                all.add(measured);
                shares.add(share);
            }
        }
        Kept<T> kept = Kept.of(all, shares);
        isUsed = true;
        mostShare = Math.max(mostShare, kept.othersShare());
        return kept;
    }

    /** Adds to the facts of the machine what the rounds met, if there were any. */
    void tell(Table facts) {
        if (isUsed) {
            facts.row(
                    "other processes, at most, in a round that counts",
                    String.format(Locale.ROOT, "%.1f %%", mostShare * PERCENT));
            facts.row(
                    "rounds repeated, as others took more than 10 %",
                    String.format(
                            Locale.ROOT,
                            "%d (%d s)",
                            rule.repeated(),
                            TimeUnit.NANOSECONDS.toSeconds(rule.repeatedNanos())));
        }
    }
}
