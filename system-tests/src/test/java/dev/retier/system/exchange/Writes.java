package dev.retier.system.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** First the client, then the server, writes at random offsets into the other's memory, which is looked at then. */
record Writes() implements Part {
    private static final int TARGET_BYTES = 1 << 20;

    @Override
    public Shape shape(Options options) {
        return Shape.NOTES;
    }

    @Override
    public String ask(Session session, Options options) throws IOException, Wrong {
        Memory target = session.register(TARGET_BYTES);
        Place there = exchanged(session, target, true);
        long bytes = write(session, there, options);
        session.hearRight("writes");
        check(session, target, options);
        return told(options, bytes);
    }

    @Override
    public String serve(Session session, Options options) throws IOException, Wrong {
        Memory target = session.register(TARGET_BYTES);
        Place there = exchanged(session, target, false);
        check(session, target, options);
        long bytes = write(session, there, options);
        session.hearRight("writes");
        return told(options, bytes);
    }

    private static String told(Options options, long bytes) throws Wrong {
        return count(options) + " writes each way, " + bytes + " bytes this way";
    }

    private static int count(Options options) throws Wrong {
        return options.number("count", 10_000, 1);
    }

    private static int most(Options options) throws Wrong {
        return Math.min(TARGET_BYTES, options.number("most", 3000, 1));
    }

    /** Where the other's memory is. */
    private static Place exchanged(Session session, Memory target, boolean isFirst) throws IOException, Wrong {
        if (isFirst) {
            session.tell(target.place().note());
        }
        Place there = Place.of(session.hear());
        if (!isFirst) {
            session.tell(target.place().note());
        }
        return there;
    }

    private static long write(Session session, Place there, Options options) throws IOException, Wrong {
        int most = most(options);
        int underWay = options.number("under-way", 16, 1);
        SplittableRandom random = new SplittableRandom(options.number("seed", 1, Integer.MIN_VALUE));
        Memory source = session.register(underWay * most);
        long bytes = 0;
        for (int i = 0; i < count(options); i++) {
            session.settle(underWay - 1);
            int length = random.nextInt(1, most + 1);
            int at = random.nextInt(TARGET_BYTES - length + 1);
            int from = i % underWay * most;
            Pattern.fill(source.bytes(), from, length, i);
            session.write(new Session.Piece(source, from, length), there, at);
            bytes += length;
        }
        session.tell(new Note(bytes, 0, 0));
        return bytes;
    }

    /** Waits until the other has written, and compares: writes are placed in the order in which they were posted. */
    private static void check(Session session, Memory target, Options options) throws IOException, Wrong {
        int most = most(options);
        SplittableRandom random = new SplittableRandom(options.number("seed", 1, Integer.MIN_VALUE));
        ByteBuffer expected = ByteBuffer.allocate(TARGET_BYTES);
        long bytes = 0;
        for (int i = 0; i < count(options); i++) {
            int length = random.nextInt(1, most + 1);
            Pattern.fill(expected, random.nextInt(TARGET_BYTES - length + 1), length, i);
            bytes += length;
        }
        long told = session.hear().first();
        boolean isWrong = told != bytes || target.bytes().clear().mismatch(expected) >= 0;
        session.tell(isWrong ? Note.WRONG : Note.RIGHT);
        if (told != bytes) {
            throw new Wrong("the other end wrote " + told + " bytes instead of " + bytes
                    + ": start both ends with the same options");
        }
        Pattern.require(target.bytes(), expected, "memory after " + count(options) + " writes");
    }
}
