package dev.retier.webnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.KeptConnection;
import dev.retier.undertow.status.NodeStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kept connections that a proxy lets go, each after a whole answer that says so (RFC 9112 section 9.6). */
class LettingGoIT {
    private static final int CONNECTIONS = 200;

    private Loopback loopback;
    private final List<KeptConnection> kept = new ArrayList<>();

    @BeforeEach
    void open(@TempDir Path folder) {
        loopback = new Loopback(folder);
        loopback.start("proxy");
        loopback.start("app");
        letGo(2, "");
        kept.addAll(KeptConnection.open(port(), CONNECTIONS));
        assertThat(ask()).isZero();
    }

    @AfterEach
    void close() {
        kept.forEach(KeptConnection::close);
        loopback.close();
    }

    @Test
    void shouldLetTheShareGo_onceInARound() {
        letGo(3, "\"let-go\": {\"round\": 9, \"percent\": 30}, ");
        int gone = ask();
        assertThat(gone).as("of 200, four standard deviations").isBetween(34, 86);
        assertThat(ask()).as("each is asked once a round").isZero();
        kept.addAll(KeptConnection.open(port(), 1));
        assertThat(ask()).as("one that was made in the round is not asked").isZero();

        // An agent that was started again counts its rounds from the first.
        letGo(4, "\"let-go\": {\"round\": 2, \"percent\": 100}, ");
        int left = kept.size();
        assertThat(ask()).isEqualTo(left);
        assertThat(status().connectionsLetGoTotal()).isEqualTo(gone + left);
        assertThat(loopback.admin("proxy", "/metrics").body())
                .contains("retier_webnode_connections_let_go_total " + (gone + left) + ".0");
    }

    @Test
    void shouldKeepThemAll_whenTheFileSaysNothing() {
        letGo(3, "");
        assertThat(ask()).isZero();
    }

    private void letGo(long epoch, String section) {
        loopback.makeProxyLettingGo("proxy", epoch, section, "app");
        await().until(() -> status().appliedEpoch() == epoch);
    }

    private int port() {
        return loopback.node("proxy").address().getPort();
    }

    private NodeStatus status() {
        return loopback.node("proxy").status();
    }

    /** Every client asks once; how many were let go, which are forgotten. */
    private int ask() {
        return KeptConnection.letGo(kept, "/static/a?size=5");
    }
}
