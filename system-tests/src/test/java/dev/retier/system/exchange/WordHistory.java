package dev.retier.system.exchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What some clients have logged who changed one word by compare-and-swap, and whether there is an order in which each
 * swap took place at one moment between its beginning and its end. Owned by one thread.
 *
 * <p>The values of the word tell the order: swaps that succeeded form one chain from the initial value to the last, no
 * value twice, and one that failed belongs where the value was current that it has found. What is left to show is that
 * none comes before another that had ended when it began.
 */
final class WordHistory {
    private final List<Swap> swaps = new ArrayList<>();
    private long initial;
    private long last;

    /** One try: when it began and ended (by one clock, in nanoseconds), and what it expected, offered and found. */
    record Swap(long begin, long end, long expected, long fresh, long found) {
        boolean isDone() {
            return found == expected;
        }

        private String line() {
            return begin + " " + end + " " + expected + " " + fresh + " " + found;
        }
    }

    /** A swap, and its place in the order that the values tell. */
    private record Placed(Swap swap, long place) {}

    void add(Swap swap) {
        swaps.add(swap);
    }

    /** What the word was before all swaps, and after them. */
    void ends(long before, long after) {
        initial = before;
        last = after;
    }

    int size() {
        return swaps.size();
    }

    void write(Path log) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(initial + " " + last);
        swaps.forEach(swap -> lines.add(swap.line()));
        Files.write(log, lines);
    }

    /** The history of all clients, of the log of each. */
    static WordHistory read(List<Path> logs) throws IOException, Wrong {
        WordHistory history = new WordHistory();
        for (Path log : logs) {
            List<String> lines = Files.readAllLines(log);
            long[] ends = numbers(log, lines.isEmpty() ? "" : lines.getFirst(), 2);
            if (history.size() > 0 && (history.initial != ends[0] || history.last != ends[1])) {
                throw new Wrong(log + " is of another run: it begins or ends with another word");
            }
            history.ends(ends[0], ends[1]);
            for (String line : lines.subList(1, lines.size())) {
                long[] all = numbers(log, line, 5);
                history.add(new Swap(all[0], all[1], all[2], all[3], all[4]));
            }
        }
        return history;
    }

    private static long[] numbers(Path log, String line, int count) throws Wrong {
        String[] words = line.split(" ", -1);
        long[] numbers = new long[count];
        try {
            for (int i = 0; i < count; i++) {
                numbers[i] = Long.parseLong(words[i]);
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException _) {
            throw new Wrong(log + " is no whole log: \"" + line + "\"");
        }
        return numbers;
    }

    /**
     * Looks whether the history is linearizable.
     *
     * @return what was looked at, for people
     * @throws Wrong if it is not, or no swap succeeded
     */
    String check() throws Wrong {
        Map<Long, Long> places = places();
        List<Placed> placed = new ArrayList<>();
        for (Swap swap : swaps) {
            if (swap.begin() > swap.end()) {
                throw new Wrong("a swap ended before it began: " + swap);
            }
            Long current = places.get(swap.found());
            if (current == null) {
                throw new Wrong("a swap found a value that the word never had: " + swap);
            }
            // The value numbered i is current from place 2 i, the swap that made it, to that of the next.
            placed.add(new Placed(swap, swap.isDone() ? 2 * current + 2 : 2 * current + 1));
        }
        requireTimes(placed);
        return "history: linearizable, " + (places.size() - 1) + " changes in " + swaps.size() + " swaps";
    }

    /** The values of the word, numbered in the order in which it had them. */
    private Map<Long, Long> places() throws Wrong {
        Map<Long, Swap> byExpected = new HashMap<>();
        for (Swap swap : swaps) {
            Swap other = swap.isDone() ? byExpected.put(swap.expected(), swap) : null;
            if (other != null) {
                throw new Wrong("the same value was replaced twice: " + other + ", " + swap);
            }
        }
        Map<Long, Long> places = new HashMap<>(Map.of(initial, 0L));
        long value = initial;
        for (Swap next = byExpected.get(value); next != null; next = byExpected.get(value)) {
            value = next.fresh();
            if (places.putIfAbsent(value, (long) places.size()) != null) {
                throw new Wrong("the word had the same value twice: " + next);
            }
        }
        if (places.size() - 1 != byExpected.size()) {
            throw new Wrong((byExpected.size() - places.size() + 1)
                    + " swaps that succeeded do not belong to the chain, which ends with " + value);
        }
        if (value != last) {
            throw new Wrong("the chain of changes ends with " + value + ", the word was " + last);
        }
        if (byExpected.isEmpty()) {
            throw new Wrong("nothing was changed");
        }
        return places;
    }

    /** Refuses a swap that comes before one which had ended when it began. */
    private static void requireTimes(List<Placed> placed) throws Wrong {
        List<Placed> byBegin = new ArrayList<>(placed);
        byBegin.sort(Comparator.comparingLong(each -> each.swap().begin()));
        List<Placed> byEnd = new ArrayList<>(placed);
        byEnd.sort(Comparator.comparingLong(each -> each.swap().end()));
        int ended = 0;
        Placed latest = byEnd.getFirst();
        for (Placed next : byBegin) {
            for (; byEnd.get(ended).swap().end() < next.swap().begin(); ended++) {
                latest = byEnd.get(ended).place() > latest.place() || ended == 0 ? byEnd.get(ended) : latest;
            }
            if (ended > 0 && latest.place() > next.place()) {
                throw new Wrong("a swap saw the word as it was before another that had ended already: " + latest.swap()
                        + ", then " + next.swap());
            }
        }
    }
}
