package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.state.NodeId;
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
    private static final int COMPLETIONS_PER_CONNECTION = Session.REQUESTS * Session.DEPTH + 16;

    /** Strangers and viewers. */
    private static final int SPARE_CONNECTIONS = 128;

    private final ViewerConfig config;
    private final SecureRandom random = new SecureRandom();
    private final Identity identity;
    private final @Nullable OwnMemory memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Counters counters = new Counters();
    /** Guarded by lock. */
    private @Nullable Queues queues;

    /**
     * A node's completion queues.
     *
     * @param operations of what it asks for
     * @param messages of what its peers tell it
     */
    record Queues(Operations operations, Completions messages) {}

    /** What a viewer shares: all but a slot. */
    Local(ViewerConfig config) {
        this.config = config;
        this.identity = newIdentity(config.self());
        this.memory = null;
    }

    /** What a member shares. */
    Local(SharedStateConfig member) {
        this.config = member.view();
        this.identity = newIdentity(config.self());
        long bootSeconds = Duration.between(BOOT_EPOCH, Instant.now()).toSeconds();
        this.memory = new OwnMemory(
                new OwnMemory.Life(config.self(), identity.incarnation(), bootSeconds & LockWord.MAX_TERM),
                member.initialRole(),
                config.peers().keySet());
    }

    ViewerConfig config() {
        return config;
    }

    Identity identity() {
        return identity;
    }

    /** Whether there is a slot of this node's own. */
    boolean isMember() {
        return memory != null;
    }

    OwnMemory memory() {
        if (memory == null) {
            throw new IllegalStateException("a viewer has no slot");
        }
        return memory;
    }

    byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    private Identity newIdentity(NodeId self) {
        return new Identity(self, random.nextLong(1, Long.MAX_VALUE));
    }

    Counters counters() {
        return counters;
    }

    /** The completion queues, made on the device of the first connection that asks. */
    Queues queues(IbvContext device) throws IOException {
        lock.lock();
        try {
            Queues made = queues;
            if (made == null) {
                int connections = 2 * config.peers().size() + SPARE_CONNECTIONS;
                int capacity = connections * COMPLETIONS_PER_CONNECTION;
                made = new Queues(
                        new Operations(device, capacity),
                        new Completions(device, capacity, config.self().toString()));
                queues = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** Takes answers for which nobody waits any more. */
    void tidy() {
        lock.lock();
        try {
            if (queues != null) {
                queues.operations().tidy();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (queues != null) {
                queues.messages().close();
                queues.operations().destroy();
            }
        } finally {
            lock.unlock();
        }
    }
}
