package dev.retier.system.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Both ends send, as DiSNI's SendRecvClient and SendRecvServer do: first the client, then the server in answer. */
record Messages() implements Part {
    private static final int UNDER_WAY = 8;
    private static final int MOST_BYTES = 60_000;

    @Override
    public Shape shape(Options options) {
        return new Shape(2 * UNDER_WAY, MOST_BYTES, Memory.PLAIN, false);
    }

    /** Lengths go through all from 1 byte to the most, unevenly. */
    private static int length(int number) {
        return 1 + (int) (number * 7919L % MOST_BYTES);
    }

    @Override
    public String ask(Session session, Options options) throws IOException, Wrong {
        int count = options.number("count", 200, 1);
        Memory memory = session.register(UNDER_WAY * MOST_BYTES);
        for (int i = 0; i < count + UNDER_WAY; i++) {
            if (i >= UNDER_WAY) {
                require(session.receive(), i - UNDER_WAY);
            }
            if (i < count) {
                send(session, memory, i);
            }
        }
        session.settle(0);
        session.tell(Note.RIGHT);
        return count + " messages there and back";
    }

    @Override
    public String serve(Session session, Options options) throws IOException, Wrong {
        int count = options.number("count", 200, 1);
        Memory memory = session.register(UNDER_WAY * MOST_BYTES);
        for (int i = 0; i < count; i++) {
            require(session.receive(), i);
            send(session, memory, i);
        }
        session.hearRight("messages");
        return count + " messages";
    }

    private static void send(Session session, Memory memory, int number) throws IOException, Wrong {
        session.settle(UNDER_WAY - 1);
        int offset = number % UNDER_WAY * MOST_BYTES;
        Pattern.fill(memory.bytes(), offset, length(number), number);
        session.send(new Session.Piece(memory, offset, length(number)));
    }

    private static void require(ByteBuffer message, int number) throws Wrong {
        if (message.remaining() != length(number)) {
            throw new Wrong("message " + number + " has " + message.remaining() + " bytes, not " + length(number));
        }
        Pattern.require(message, 0, length(number), number, "message " + number);
    }
}
