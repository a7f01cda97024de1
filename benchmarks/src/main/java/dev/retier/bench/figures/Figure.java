package dev.retier.bench.figures;

import dev.retier.bench.Results;

/** One figure of the source, run again. */
interface Figure {
    /** Such as {@code E3}. */
    String id();

    /** Runs it, adds its tables and plots, and judges it. */
    void run(Results results, Verdicts verdicts);
}
