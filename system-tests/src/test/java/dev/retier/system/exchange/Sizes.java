package dev.retier.system.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Messages, writes and reads of all powers of two up to 8 MiB, of three bytes less, and of none; first the client acts,
 * then the server, size by size.
 */
record Sizes() implements Part {
    private static final int MOST_BYTES = 8 << 20;
    private static final int SHORTER = 3;
    /** Bytes behind what is written or read, which must not change. */
    private static final int GUARD = 64;

    @Override
    public Shape shape(Options options) throws Wrong {
        return new Shape(2, Math.max(64, most(options)), Memory.PLAIN, false);
    }

    private static int most(Options options) throws Wrong {
        return Math.min(MOST_BYTES, options.number("most", MOST_BYTES, 1));
    }

    private static List<Integer> sizes(int most) {
        IntStream powers = IntStream.iterate(1, size -> size <= most, size -> 2 * size);
        return powers.flatMap(size -> IntStream.of(size - SHORTER, size))
                .map(size -> Math.max(0, size))
                .distinct()
                .sorted()
                .boxed()
                .toList();
    }

    @Override
    public String ask(Session session, Options options) throws IOException, Wrong {
        Ends ends = new Ends(session, most(options));
        session.tell(ends.own.place().note());
        ends.there = Place.of(session.hear());
        List<Integer> sizes = sizes(most(options));
        for (int size : sizes) {
            ends.act(size);
            ends.assist(size);
        }
        return 6 * sizes.size() + " transfers";
    }

    @Override
    public String serve(Session session, Options options) throws IOException, Wrong {
        Ends ends = new Ends(session, most(options));
        ends.there = Place.of(session.hear());
        session.tell(ends.own.place().note());
        List<Integer> sizes = sizes(most(options));
        for (int size : sizes) {
            ends.assist(size);
            ends.act(size);
        }
        return 6 * sizes.size() + " transfers";
    }

    /** What one end does. Its memory is twice the most: what it sends from, then what is written and read into. */
    private static final class Ends {
        private final Session session;
        private final int half;
        final Memory own;
        Place there = new Place(0, 0, 0);

        Ends(Session session, int most) throws IOException {
            this.session = session;
            this.half = most + GUARD;
            this.own = session.register(2 * half);
        }

        private static long number(int size, int step) {
            return 4L * size + step;
        }

        private Session.Piece source(int size, int step) {
            Pattern.fill(own.bytes(), 0, size, number(size, step));
            return new Session.Piece(own, 0, size);
        }

        private void clearSink(int size) {
            own.bytes().put(half, new byte[size + GUARD]);
        }

        private void requireSink(int size, int step, String what) throws Wrong {
            Pattern.require(own.bytes(), half, size, number(size, step), what);
            Pattern.require(
                    own.bytes().slice(half + size, GUARD), ByteBuffer.allocate(GUARD), "memory behind the " + what);
        }

        /** Sends, writes, reads. */
        void act(int size) throws IOException, Wrong {
            session.send(source(size, 0));
            session.hearRight("message of " + size + " bytes");
            session.write(source(size, 1), there, half);
            session.tell(Note.RIGHT);
            session.hearRight("write of " + size + " bytes");
            clearSink(size);
            session.read(new Session.Piece(own, half, size), there, 0);
            session.settle(0);
            requireSink(size, 2, "read of " + size + " bytes");
            session.tell(Note.RIGHT);
        }

        /** Receives, is written to, is read. */
        void assist(int size) throws IOException, Wrong {
            clearSink(size);
            ByteBuffer message = session.receive();
            if (message.remaining() != size) {
                throw new Wrong("message of " + size + " bytes came with " + message.remaining());
            }
            Pattern.require(message, 0, size, number(size, 0), "message of " + size + " bytes");
            session.tell(Note.RIGHT);
            session.hearRight("write of " + size + " bytes");
            requireSink(size, 1, "write of " + size + " bytes");
            source(size, 2);
            session.tell(Note.RIGHT);
            session.hearRight("read of " + size + " bytes");
        }
    }
}
