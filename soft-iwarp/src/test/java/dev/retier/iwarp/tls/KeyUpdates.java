package dev.retier.iwarp.tls;

import dev.retier.iwarp.testbed.Certified;
import dev.retier.testsupport.TestAuthority.Subject;
import java.security.Security;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.net.ssl.SSLException;

/** A program of its own, as a JVM reads once after how many bytes keys are to be updated. */
public final class KeyUpdates {
    private static final String LIMIT_BYTES = "2^18";
    private static final int ROUNDS = 8;

    private KeyUpdates() {}

    /**
     * Sends eight times the limit both ways, and prints of each time what came of it, and whether who received had
     * something to say to it, which can be nothing but its answer to a key update.
     */
    public static void main(String[] arguments) throws SSLException {
        Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate " + LIMIT_BYTES);
        Certified cell = new Certified("cell");
        TlsPair pair = new TlsPair(cell.keys(Subject.of("web-1")), cell.keys(Subject.of("web-2")), 1);
        pair.establish();
        byte[] bytes = new byte[1 << 18];
        for (int i = 0; i < ROUNDS; i++) {
            new SplittableRandom(i).nextBytes(bytes);
            while (pair.carry(pair.responder, pair.initiator)) {} // what is left of the time before
            long before = pair.responder.sentBytes;
            boolean isThere = Arrays.equals(pair.send(pair.initiator, pair.responder, bytes), bytes);
            System.out.println(pair.responder.sentBytes > before ? "answered" : "silent");
            boolean isEqual = isThere && Arrays.equals(pair.send(pair.responder, pair.initiator, bytes), bytes);
            System.out.println(isEqual ? "carried" : "changed");
        }
    }
}
