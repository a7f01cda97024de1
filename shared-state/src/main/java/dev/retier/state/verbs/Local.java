package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.state.auth.Identity;
import dev.retier.state.lock.LockWord;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What all connections of one node share. Thread-safe. */
final class Local implements AutoCloseable {
    private static final int NONCE_BYTES = 16;

    /** From which terms count: 32 bits of seconds last until 2162. */
    private static final Instant BOOT_EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    /** Completions that one connection may have waiting: its operations, the writes before them, its messages. */
    private static final int COMPLETIONS_PER_CONNECTION = 2 * Session.DEPTH + 8;

    /** Strangers and viewers. */
    private static final int SPARE_CONNECTIONS = 128;

    private final SharedStateConfig config;
    private final Identity identity;
    private final OwnMemory memory;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private @Nullable Completions completions;

    Local(SharedStateConfig config) {
        this.config = config;
        this.identity = new Identity(config.self(), random.nextLong(1, Long.MAX_VALUE));
        long bootSeconds = Duration.between(BOOT_EPOCH, Instant.now()).toSeconds();
        this.memory = new OwnMemory(
                new OwnMemory.Life(config.self(), identity.incarnation(), bootSeconds & LockWord.MAX_TERM),
                config.initialRole(),
                config.peers().keySet());
    }

    SharedStateConfig config() {
        return config;
    }

    Identity identity() {
        return identity;
    }

    OwnMemory memory() {
        return memory;
    }

    byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** The completion queue, made on the device of the first connection that asks. */
    Completions completions(IbvContext device) throws IOException {
        lock.lock();
        try {
            Completions made = completions;
            if (made == null) {
                int connections = 2 * config.peers().size() + SPARE_CONNECTIONS;
                made = new Completions(
                        device,
                        connections * COMPLETIONS_PER_CONNECTION,
                        config.self().toString());
                completions = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (completions != null) {
                completions.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
