package dev.retier.agent.daemon;

import dev.retier.agent.command.CommandAsked;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The newest commands of an agent that have ended, for those who look at it later. Thread-safe, bounded. */
final class NewestCommands {
    static final int MOST = 100;
    /** Of a page of them; a command that an operator gives with all that is said of its end has some 300. */
    static final int MOST_CHARACTERS = 48 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    /** The newest first. Guarded by the lock. */
    private final Deque<CommandAsked> ended = new ArrayDeque<>();

    /** Begins with what an earlier life has kept, the oldest first; those without an end are passed over. */
    NewestCommands(List<CommandAsked> kept) {
        kept.stream().filter(asked -> asked.end() != null).forEach(this::add);
    }

    /** One that has ended. */
    void add(CommandAsked asked) {
        lock.lock();
        try {
            ended.addFirst(asked);
            if (ended.size() > MOST) {
                ended.removeLast();
            }
        } finally {
            lock.unlock();
        }
    }

    private List<CommandAsked> all() {
        lock.lock();
        try {
            return List.copyOf(ended);
        } finally {
            lock.unlock();
        }
    }

    /** One JSON object with the newest, each as its event has it; as many as a page takes. */
    String json() {
        StringBuilder page = new StringBuilder("{\"commands\":[");
        String comma = "";
        for (CommandAsked asked : all()) {
            String one = asked.print();
            if (page.length() + one.length() > MOST_CHARACTERS) {
                break;
            }
            page.append(comma).append(one);
            comma = ",";
        }
        return page.append("]}").toString();
    }
}
