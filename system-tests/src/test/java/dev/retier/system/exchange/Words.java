package dev.retier.system.exchange;

import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One word at the server, which several clients change by compare-and-swap. A word is the number of its changes and, in
 * its last byte, the number of the client that made the last one: no value comes twice.
 */
final class Words {
    private static final int CLIENT_BITS = 8;
    private static final long INITIAL = 0;
    private static final Shape SHAPE = new Shape(4, 64, Memory.WITH_ATOMICS, false);

    private Words() {}

    private static int changes(Options options) throws Wrong {
        return options.number("changes", 100_000, 1);
    }

    /** Waits for all clients to connect, lets them begin together, and tells each what the word is in the end. */
    static String serve(Events events, RdmaCmId listener, Options options) throws IOException, Wrong {
        int clients = options.number("clients", 3, 1);
        List<Session> sessions = new ArrayList<>();
        try {
            sessions.add(Session.accept(events, listener, SHAPE, null));
            Session first = sessions.getFirst();
            while (sessions.size() < clients) {
                sessions.add(Session.accept(events, listener, SHAPE, first.domain()));
            }
            for (Session session : sessions) {
                session.hearRight("the beginning");
            }
            Memory word = first.register(Long.BYTES);
            for (Session session : sessions) {
                session.tell(word.place().note());
            }
            for (Session session : sessions) {
                session.hearRight("the changes");
            }
            long last = word.bytes().getLong(0);
            for (Session session : sessions) {
                session.tell(new Note(last, 0, 0));
            }
            for (Session session : sessions) {
                session.disconnect(true);
            }
            if (last >>> CLIENT_BITS != changes(options)) {
                throw new Wrong("the word was changed " + (last >>> CLIENT_BITS) + " times, not " + changes(options)
                        + " times");
            }
            return "words: ok, " + changes(options) + " changes";
        } finally {
            for (Session session : sessions.reversed()) {
                session.close();
            }
        }
    }

    /** Changes the word until it was changed often enough, and writes the log. */
    static String ask(Events events, Options options) throws IOException, Wrong {
        int client = options.number("client", 1, 1);
        if (client >= 1 << CLIENT_BITS) {
            throw new Wrong("a client's number is below " + (1 << CLIENT_BITS));
        }
        int changes = changes(options);
        WordHistory history = new WordHistory();
        try (Session session = Session.connect(events, options.address(), SHAPE)) {
            Memory result = session.register(Long.BYTES);
            session.tell(Note.RIGHT);
            Place word = Place.of(session.hear());
            long expected = INITIAL;
            long own = 0;
            while (expected >>> CLIENT_BITS < changes) {
                long fresh = ((expected >>> CLIENT_BITS) + 1) << CLIENT_BITS | client;
                long begin = System.nanoTime();
                session.swap(new Session.Piece(result, 0, Long.BYTES), word, expected, fresh);
                session.settle(0);
                long found = result.bytes().getLong(0);
                history.add(new WordHistory.Swap(begin, System.nanoTime(), expected, fresh, found));
                own += found == expected ? 1 : 0;
                expected = found == expected ? fresh : found;
            }
            session.tell(Note.RIGHT);
            history.ends(INITIAL, session.hear().first());
            session.disconnect(false);
            if (options.values().containsKey("log")) {
                history.write(Path.of(options.text("log")));
            }
            return "words: ok, " + own + " changes in " + history.size() + " tries";
        }
    }
}
