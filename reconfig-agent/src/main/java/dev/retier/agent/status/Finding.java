package dev.retier.agent.status;

/**
 * What one check of a machine has found: whether a move would have what it needs.
 *
 * @param check a word that names the check
 * @param verdict how it came out
 * @param detail what was found, for people
 * @param place where to change what: a file with its line, or a key of the cluster file; empty unless it is bad
 * @param remedy what to do there; empty unless it is bad
 */
public record Finding(String check, Verdict verdict, String detail, String place, String remedy) {
    /** How a check comes out. */
    public enum Verdict {
        /** A move will find it as it must be. */
        GOOD,
        /** A move would fail by it, or clients get a wrong answer. */
        BAD,
        /** It could not be found out, and why not is said. */
        UNKNOWN
    }

    /** All is as it must be. */
    public static Finding good(String check, String detail) {
        return new Finding(check, Verdict.GOOD, detail, "", "");
    }

    /** Nobody knows. */
    public static Finding unknown(String check, String detail) {
        return new Finding(check, Verdict.UNKNOWN, detail, "", "");
    }

    /** It is not as it must be. */
    public static Finding bad(String check, String detail, String place, String remedy) {
        return new Finding(check, Verdict.BAD, detail, place, remedy);
    }

    /** Whether a move would fail by it. */
    public boolean isBad() {
        return verdict == Verdict.BAD;
    }
}
