package dev.retier.bench;

/** What a measurement tells while it runs: on standard error, as standard output is for the result. Stateless. */
public final class Progress {
    private Progress() {}

    /** One line. */
    public static void tell(String line) {
        System.err.println(line);
    }
}
