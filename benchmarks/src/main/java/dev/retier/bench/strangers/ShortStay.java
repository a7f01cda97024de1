package dev.retier.bench.strangers;

import dev.retier.link.auth.ClusterSecret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Connections that prove the secret, as the third member, and end when the victim has let them in. Not thread-safe. */
final class ShortStay {
    private static final int ANSWERED_WITHIN_MILLIS = 5_000;
    private static final int GARBAGE_BYTES = 64;
    private static final long WHOLE_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final InetSocketAddress victim;
    private final ClusterSecret secret;
    private final Random random = new Random(1);

    /** What comes behind the proof. */
    enum End {
        /** A TCP reset. */
        RESET("reset right behind the proof"),
        /** What is no FPDU. */
        GARBAGE("garbage right behind the proof");

        private final String sentence;

        End(String sentence) {
            this.sentence = sentence;
        }

        String sentence() {
            return sentence;
        }
    }

    ShortStay(Cell cell) throws IOException {
        victim = cell.agents().rdma(Cell.VICTIM);
        secret = cell.secret();
    }

    /** Has {@code count} connections end, one after the other, for five minutes at most; tells how many were let in. */
    int end(End end, int count) throws IOException {
        long beganNanos = System.nanoTime();
        int done = 0;
        while (done < count && System.nanoTime() - beganNanos < WHOLE_LIMIT_NANOS) {
            try (Socket socket = new Socket(victim.getAddress(), victim.getPort())) {
                socket.setSoTimeout(ANSWERED_WITHIN_MILLIS);
                socket.getOutputStream().write(Opening.ofMember(secret, Cell.RESTARTED, Cell.VICTIM, random));
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("the victim lets the member's connection " + done + " not in");
                }
                if (end == End.RESET) {
                    socket.setSoLinger(true, 0);
                } else {
                    byte[] garbage = new byte[GARBAGE_BYTES];
                    random.nextBytes(garbage);
                    socket.getOutputStream().write(garbage);
                }
            }
            done++;
        }
        return done;
    }
}
