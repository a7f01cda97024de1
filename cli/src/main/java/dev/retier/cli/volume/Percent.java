package dev.retier.cli.volume;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Tells on standard error how far something is, at each tenth of it. Used by one thread. */
final class Percent {
    private static final int STEP = 10;
    private static final int ALL = 100;

    private final PrintWriter err;
    private final String what;
    private long told;

    Percent(CommandSpec spec, String what) {
        this.err = spec.commandLine().getErr();
        this.what = what;
    }

    void at(long done, long all) {
        long percent = all == 0 ? ALL : (long) ((double) done / all * ALL);
        if (percent >= told + STEP) {
            told = percent - percent % STEP;
            err.println(what + " " + told + " %");
            err.flush();
        }
    }
}
