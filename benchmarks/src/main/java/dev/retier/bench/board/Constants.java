package dev.retier.bench.board;

import dev.retier.bench.board.Variant.Edit;
import dev.retier.bench.board.Variant.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Each figure in the decision that nobody configures, and each that somebody may, halved and doubled. Stateless. */
final class Constants {
    /** Figures in {@code decide} that change no decision, and why. */
    static final Map<String, String> NOT_JUDGED = Map.of(
            "KEPT", "how many differences a shadow remembers",
            "NANOS_PER_SECOND", "a unit",
            "HOUR_NANOS", "a unit, of moves-per-hour",
            "MAX_MOVES", "a bound of memory that the budget never reaches",
            "ROUNDING", "a last bit",
            "SIZES", "a bound of work that hardly any cell reaches",
            "GIVERS", "a bound of work that no cell of two sites reaches",
            "SHOWN", "how many changes people see",
            "LONGEST_REST", "an hour, as moves-per-hour is of one; hours are too long for a row (UndoneOrdersTest)");

    private static final String DEFAULTS = "config/DecisionRules.java";

    private Constants() {}

    /** All of them. */
    static List<Variant> all() {
        List<Variant> all = new ArrayList<>(named());
        all.addAll(unnamed());
        all.addAll(keys());
        return all;
    }

    /** Of {@code NAME = value} in a file below the agent's package. */
    private static List<Variant> constant(String file, String name, String value, String... others) {
        List<Variant> variants = new ArrayList<>();
        for (String other : others) {
            variants.add(new Variant(
                    name + " " + value + " as " + other,
                    className(file) + " " + name,
                    Kind.CONSTANT,
                    List.of(new Edit(file, " " + name + " = " + value + ";", " " + name + " = " + other + ";"))));
        }
        return variants;
    }

    private static String className(String file) {
        return file.substring(file.indexOf('/') + 1, file.indexOf('.'));
    }

    private static List<Variant> named() {
        List<Variant> all = new ArrayList<>();
        all.addAll(constant("decide/Outlook.java", "MOST", "64", "32", "128"));
        all.addAll(constant("decide/Load.java", "MOST_UNSEEN", "64", "32", "128"));
        all.addAll(constant("decide/Load.java", "UNITS_SAMPLES", "50", "10", "100"));
        all.addAll(constant("decide/Load.java", "ASKED_SAMPLES", "5", "3", "10"));
        all.addAll(constant("decide/Load.java", "STEEPNESS", "6", "3", "12"));
        all.addAll(constant("decide/MovesSeen.java", "MAX_SECONDS", "5", "3", "10"));
        all.addAll(constant("decide/Objective.java", "CHANCE", "3", "1.5", "6"));
        all.addAll(constant("decide/Gains.java", "ABOUT_ZERO", "0.01", "0.005", "0.02"));
        all.addAll(constant("decide/SiteTrend.java", "HELD_BACK", "0.5", "0.25", "1"));
        all.addAll(constant("decide/Spells.java", "MAX_PAST", "8", "4", "16"));
        all.addAll(constant("decide/Spells.java", "LEAST_PAST", "4", "2", "8"));
        all.addAll(constant("decide/Options.java", "EQUAL_LOAD", "0.05", "0.025", "0.1"));
        all.addAll(constant("decide/UndoneOrders.java", "GROWTH", "4", "2", "8"));
        return all;
    }

    private static Variant other(String of, String as, String file, String text, String replacement) {
        return new Variant(of + " " + as, of, Kind.CONSTANT, List.of(new Edit(file, text, replacement)));
    }

    /** Figures that stand in an expression. */
    private static List<Variant> unnamed() {
        String again = ".orElse(2 * elapsed)";
        return List.of(
                other("as long again", "half of it", "decide/Spells.java", again, ".orElse(1.5 * elapsed)"),
                other("as long again", "twice of it", "decide/Spells.java", again, ".orElse(3 * elapsed)"));
    }

    private static List<Variant> key(String name, String value, String... others) {
        List<Variant> variants = new ArrayList<>();
        for (String other : others) {
            variants.add(new Variant(
                    name + " " + value + " as " + other,
                    name,
                    Kind.KEY,
                    List.of(new Edit(DEFAULTS, defaults(name, value), defaults(name, other)))));
        }
        return variants;
    }

    /** The beginning of the defaults up to the key that counts. */
    private static String defaults(String name, String value) {
        List<String> names = List.of(
                "take-history",
                "take-threshold",
                "tolerance",
                "moves-per-hour",
                "max-unknown-share",
                "max-in-transit-share");
        List<String> values =
                new ArrayList<>(List.of("Duration.ofSeconds(1)", "0.80", "0.10", "600", "1.0 / 3", "1.0"));
        int place = names.indexOf(name);
        values.set(place, value);
        return "new DecisionRules(" + String.join(", ", values.subList(0, place + 1)) + ",";
    }

    private static List<Variant> keys() {
        List<Variant> all = new ArrayList<>();
        all.addAll(key("take-history", "Duration.ofSeconds(1)", "Duration.ofMillis(500)", "Duration.ofSeconds(2)"));
        all.addAll(key("take-threshold", "0.80", "0.70", "0.90"));
        all.addAll(key("tolerance", "0.10", "0.05", "0.20"));
        all.addAll(key("moves-per-hour", "600", "300", "1200"));
        all.addAll(key("max-unknown-share", "1.0 / 3", "1.0 / 6", "2.0 / 3"));
        all.addAll(key("max-in-transit-share", "1.0", "0.25", "0.5"));
        return all;
    }
}
