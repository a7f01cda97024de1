package dev.retier.agent.journal;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.command.PastMove;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the lines of a journal say. A damaged line is left out, and told, when a whole one follows that is no older: the
 * role of the node is in the newest. When nothing follows, the newest may be lost, and an operator has to say what it
 * was.
 *
 * @param entries the oldest first
 * @param leftOut what was left out, a sentence each
 */
record JournalReading(List<PastMove.Entry> entries, List<String> leftOut) {
    /**
     * A line.
     *
     * @param where file and number
     */
    record Line(String where, String text) {}

    /**
     * Reads them.
     *
     * @param lines the oldest first
     * @throws ReconfigException when nothing whole follows a damaged line; the message tells the remedy
     */
    static JournalReading of(List<Line> lines) {
        List<PastMove.Entry> entries = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (Line line : lines) {
            Optional<PastMove.Entry> whole = JournalLine.parse(line.text);
            if (whole.isEmpty()) {
                damaged.add(line.where);
                whole = behindATornOne(line.text);
            }
            if (whole.isPresent() && isNoOlder(whole.get(), entries)) {
                entries.add(whole.get());
                damaged.forEach(where ->
                        leftOut.add(where + ": a damaged line is left out; what follows it is whole and no older"));
                damaged.clear();
            } else if (whole.isPresent() && !damaged.isEmpty()) {
                damaged.add(line.where);
            } else {
                whole.ifPresent(entries::add);
            }
        }
        if (!damaged.isEmpty()) {
            throw lost(damaged.getFirst(), entries);
        }
        return new JournalReading(List.copyOf(entries), List.copyOf(leftOut));
    }

    /** A record that was written right behind one of which only a part was. */
    private static Optional<PastMove.Entry> behindATornOne(String text) {
        int begin = text.lastIndexOf(JournalLine.BEGIN);
        return begin > 0 ? JournalLine.parse(text.substring(begin)) : Optional.empty();
    }

    private static boolean isNoOlder(PastMove.Entry next, List<PastMove.Entry> before) {
        return before.isEmpty()
                || next.entry().word().epoch()
                        >= before.getLast().entry().word().epoch();
    }

    private static ReconfigException lost(String where, List<PastMove.Entry> entries) {
        List<MoveRecord> known = entries.stream().map(PastMove.Entry::entry).toList();
        String remedy = known.isEmpty()
                ? "move the file away to start as configured"
                : "the last whole line says " + text(Recovery.initialWord(known, Role.SPARE)) + ": remove this line and"
                        + " those after it to start so, or move the file away to start as configured in epoch 0";
        return new ReconfigException(
                ReconfigException.Category.FATAL,
                where + ": not a line of a journal, and no newer one follows; " + remedy);
    }

    private static String text(RoleWord word) {
        return JournalLine.role(word.to()) + " of epoch " + word.epoch()
                + (word.phase() == RoleWord.Phase.ORDERED ? ", on its way from " + JournalLine.role(word.from()) : "");
    }
}
