package dev.retier.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.MoveReason;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.move.MoverResult;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import dev.retier.testsupport.Logged;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What programs read of a line besides its text. */
class LogLinesTest {
    private static final NodeId TWO = new NodeId(2);
    private static final SiteId SHOP = new SiteId(1);
    private static final SiteId BLOG = new SiteId(2);
    private static final Role SHOPS = Role.serving(SHOP, Tier.APP);

    @AutoClose
    private final Logged logged = new Logged();

    private final LogLines lines =
            new LogLines(new AgentConfig(ClusterConfig.parse("""
                    name: small
                    secret-file: /etc/retier/secret
                    journal-directory: /var/lib/retier
                    sites: [{id: 1, name: shop}, {id: 2, name: blog}]
                    nodes:
                      - {id: 1, name: web-1, rdma: "127.0.0.1:1", agent: "127.0.0.1:2", role: shop/app,
                         server: {address: "127.0.0.1:3", admin: "127.0.0.1:4", role-file: /run/a}}
                      - {id: 2, name: web-2, rdma: "127.0.0.1:5", agent: "127.0.0.1:6", role: shop/app,
                         server: {address: "127.0.0.1:7", admin: "127.0.0.1:8", role-file: /run/b}}
                    witnesses: [web-1]
                    """, "cluster.yaml"), new NodeId(1)));

    private Map<String, Object> ended(Role to) {
        Decision.Move move = new Decision.Move(BLOG, TWO, SHOPS, to, MoveReason.PRESSURE, "");
        lines.ended(move, new MoverEffect.Finished(BLOG, List.of(move), MoverResult.TIMED_OUT, null, ""));
        return logged.values("web-1: the move of web-2").getLast();
    }

    @Test
    void shouldTellWhoseTheNodeWillBe_whenItMovesFromSiteToSite() {
        assertThat(ended(Role.serving(BLOG, Tier.PROXY)))
                .containsEntry("agent", "web-1")
                .containsEntry("node", "web-2")
                .containsEntry("site", "blog")
                .containsEntry("tier", "proxy");
    }

    @Test
    void shouldTellWhoseTheNodeWas_whenItWillServeNone() {
        assertThat(ended(Role.SPARE)).containsEntry("site", "shop").containsEntry("tier", "spare");
        assertThat(ended(Role.DRAINED)).containsEntry("site", "shop").containsEntry("tier", "drained");
    }
}
