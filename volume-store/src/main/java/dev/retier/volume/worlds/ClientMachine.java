package dev.retier.volume.worlds;

import dev.retier.link.Connection;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.Completion;
import dev.retier.volume.connect.CompletionMode;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.UnconnectedClient;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.wire.ClientName;
import dev.retier.volume.wire.Grant;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A machine with a client and a program that uses it. */
final class ClientMachine {
    private static final long TICK_NANOS = 250_000_000;

    private final Stage stage;
    private final SplittableRandom random;
    private final ServerMachine server;
    private final UnconnectedClient client;
    private final int number;
    private @Nullable Wire wire;
    private @Nullable RemoteVolume writing;
    private @Nullable UUID boot;
    private boolean isToSendAgain;
    private boolean isDead;
    private boolean isCalm;
    private boolean hasEnded;

    /** What it does. */
    interface Program {
        /** Until the machine has died, or all is calm; attaches nothing any more when it returns. */
        void run(ClientMachine on);
    }

    ClientMachine(Stage stage, SplittableRandom random, ServerMachine server, int number, Program program) {
        this.stage = stage;
        this.random = random;
        this.server = server;
        this.number = number;
        ClientConfig config = ClientConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                        SecretSource.of(Secrets.only(ClusterSecret.of("a secret of this world"))),
                        Transport.IWARP)
                .withLostAfter(
                        random.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(Duration.ofMillis(random.nextInt(300, 3000))))
                .withUnflushedBytes(random.nextBoolean() ? 64L << 20 : 32L << 10)
                .withName(new ClientName("machine " + number))
                .withCompletion(new Completion(CompletionMode.WAIT, Duration.ZERO, Completion.NEVER));
        this.client = new UnconnectedClient(config, stage.threads()::nowNanos);
        stage.threads().start(this::keepConnected);
        stage.threads().start(() -> {
            program.run(this);
            hasEnded = true;
        });
        tick();
    }

    int number() {
        return number;
    }

    Stage stage() {
        return stage;
    }

    SplittableRandom random() {
        return random;
    }

    VolumeClient client() {
        return client.client();
    }

    boolean hasEnded() {
        return hasEnded;
    }

    boolean isDead() {
        return isDead;
    }

    /** Whether its program goes on. */
    boolean isBusy() {
        return !isDead && !isCalm;
    }

    void pause(long leastNanos, long mostNanos) {
        stage.threads().pause(random.nextLong(leastNanos, mostNanos));
    }

    /** By which it is connected now, if it is: what is sent by another one may be sent again. */
    @Nullable
    Wire wire() {
        return wire;
    }

    /** Its program writes to that. */
    void writes(RemoteVolume volume) {
        writing = volume;
        isToSendAgain = false;
    }

    /** Whether its server's machine had lost what was not flushed, since this was asked for last. */
    boolean hasSentAgain() {
        boolean is = isToSendAgain;
        isToSendAgain = false;
        return is;
    }

    /** From now on its program ends what it is at, and does no more. */
    void calm() {
        isCalm = true;
    }

    /** It loses its power. */
    void die() {
        isDead = true;
        Wire mine = wire;
        if (mine != null) {
            mine.end(0, random.nextLong(1_000_000, 2_000_000_000L));
        }
        stage.threads().after(0, client.client()::close);
    }

    private void tick() {
        if (!isDead && !hasEnded) {
            client.tick();
            stage.threads().after(TICK_NANOS, this::tick);
        }
    }

    /** As what ships: by another connection once it knows that the last one is over. */
    private void keepConnected() {
        while (!isDead && !hasEnded) {
            Wire mine = wire;
            if (mine == null || mine.client().isOver()) {
                wire = server.connect(this);
            }
            pause(5_000_000, 100_000_000);
        }
    }

    Connection connected(Wire by, Grant grant) {
        UUID before = boot;
        boot = grant.boot();
        RemoteVolume volume = writing;
        if (before != null && !before.equals(boot) && volume != null) {
            isToSendAgain = isToSendAgain || volume.facts().unflushedBytes() > 0;
        }
        return client.connected(by.client(), grant);
    }
}
