package dev.retier.system.exchange;

import java.io.IOException;

/**
 * The client reads memory of the server and says that it has, as DiSNI's ReadClient does of its ReadServer.
 *
 * @param isServerFirst whether the server tells its key without being asked, as those do: the client then says nothing
 *     until it knows the key
 * @param isPolled whether both ends poll, as DiSNI's VerbsServer and VerbsClient do
 */
record Reads(boolean isServerFirst, boolean isPolled) implements Part {
    private static final int BYTES = 4096;
    private static final int READS = 4;
    private static final Note ASK = new Note(3, 0, 0);

    @Override
    public Shape shape(Options options) {
        return new Shape(4, 64, Memory.PLAIN, isPolled);
    }

    @Override
    public String ask(Session session, Options options) throws IOException, Wrong {
        Memory sink = session.register(BYTES);
        if (!isServerFirst) {
            session.tell(ASK);
        }
        Place there = Place.of(session.hear());
        for (int i = 0; i < READS; i++) {
            sink.bytes().put(0, new byte[BYTES]);
            session.read(new Session.Piece(sink, 0, BYTES), there, 0);
            session.settle(0);
            Pattern.require(sink.bytes(), 0, BYTES, BYTES, "read " + i);
        }
        session.tell(Note.RIGHT);
        return READS + " reads of " + BYTES + " bytes";
    }

    @Override
    public String serve(Session session, Options options) throws IOException, Wrong {
        Memory source = session.register(BYTES);
        Pattern.fill(source.bytes(), 0, BYTES, BYTES);
        if (!isServerFirst && !session.hear().equals(ASK)) {
            throw new Wrong("the client did not ask");
        }
        session.tell(source.place().note());
        session.hearRight("reads");
        return "was read";
    }
}
