package dev.retier.sim.service;

import dev.retier.agent.render.LetGo;
import dev.retier.traces.play.Assignment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Which proxy each client of one closed loop goes to, with the connection that it keeps to it. Not thread-safe. */
final class Placing {
    private static final int NOWHERE = -1;
    private static final int WHOLE = 100;

    private final Clients clients;
    private final int[] connectedTo;
    /** Of each connection: the round of its newest answer. */
    private final long[] askedInRound;

    private final SplittableRandom random = new SplittableRandom(1);
    private @Nullable Assignment<Integer> assignment;
    private int turn;

    Placing(Clients clients) {
        this.clients = clients;
        this.connectedTo = new int[clients.count()];
        this.askedInRound = new long[clients.count()];
        Arrays.fill(connectedTo, NOWHERE);
    }

    void follow(List<Integer> nodes) {
        Assignment<Integer> before = assignment;
        if (before == null) {
            assignment = Assignment.spread(clients.count(), nodes);
        } else {
            assignment = clients.isStaying() ? before.staying(nodes) : before.over(nodes);
        }
    }

    int proxyOf(int client) {
        return placed().targetOf(client);
    }

    /** As a web-node does it: each connection is asked once a round, one made in the round is not. */
    void answered(int client, int proxy, LetGo letGo) {
        if (!clients.isStaying()) {
            return;
        }
        boolean isAsked = connectedTo[client] == proxy && askedInRound[client] != letGo.round();
        connectedTo[client] = proxy;
        askedInRound[client] = letGo.round();
        if (isAsked && random.nextInt(WHOLE) < letGo.percent()) {
            connectedTo[client] = NOWHERE;
            assignment = placed().elsewhere(client, turn++);
        }
    }

    private Assignment<Integer> placed() {
        Assignment<Integer> now = assignment;
        if (now == null) {
            throw new IllegalStateException("no list of proxies yet");
        }
        return now;
    }
}
