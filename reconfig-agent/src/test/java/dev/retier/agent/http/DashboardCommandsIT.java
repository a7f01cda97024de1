package dev.retier.agent.http;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.testsupport.Patience.PATIENCE;
import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.Agent;
import dev.retier.agent.access.CallerRole;
import dev.retier.agent.access.Tokens;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.PrefixProxy;
import dev.retier.agent.fixture.Watcher;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.testsupport.Chromium;
import dev.retier.testsupport.Detour;
import dev.retier.testsupport.TestAuthority.PemPair;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People command a running cell from the page of one of its agents, over TLS, as far as their tokens let them. */
class DashboardCommandsIT {
    /** What a viewer may write into the console of his browser; comes to the status of the answer. */
    private static final String VIEWERS_PAUSE = """
            fetch('v1/commands', {
              method: 'POST',
              headers: {'Content-Type': 'application/json', 'Idempotency-Key': 'mine', Authorization: 'Bearer %s'},
              body: '{"command":"pause","here":false}',
            }).then((answer) => answer.status)""".formatted(GuardedServer.VIEWERS_TOKEN);

    @TempDir
    private static Path browserFolder = Path.of("");

    private static Watcher watcher;

    @TempDir
    private Path folder = Path.of("");

    private AgentCell cell;
    private URI page;

    @BeforeAll
    static void openBrowser() throws Exception {
        watcher = new Watcher(new Chromium(browserFolder), "--ignore-certificate-errors");
    }

    @AfterAll
    static void closeBrowser() {
        if (watcher != null) {
            watcher.close();
        }
    }

    @BeforeEach
    void startCell() throws Exception {
        cell = AgentCell.startFor(folder, 2, 2, GuardedServer.access(folder));
        await().until(() -> cell.agents().stream().allMatch(Agent::isReady));
        page = Watcher.guardedPage(cell.agent(1).adminAddress());
    }

    @AfterEach
    void endCell() {
        watcher.browser().navigate(URI.create("about:blank"));
        cell.close();
    }

    /** What the agent says that the command in the dialog would do; it can be confirmed then. */
    private static String dryRun() {
        await().until(() -> watcher.browser().isTrue("!document.getElementById('confirm').disabled"));
        return watcher.text("#answer");
    }

    /** Confirms, and says what is told of the end. */
    private static String confirm() {
        watcher.browser().click("#confirm");
        await().until(() -> watcher.isShown("#outcomes > :first-child:not(.running)"));
        return watcher.text("#outcomes > :first-child");
    }

    private static void openNode(String name) {
        watcher.browser().evaluate("document.querySelector('[data-node=" + name + "]').focus()");
        watcher.browser().press("Enter");
        await().until(() -> watcher.text("#node-name").equals(name));
    }

    private static void command(String node, String button) {
        openNode(node);
        watcher.browser().click(button);
    }

    private void requireRole(int node, Role role) {
        await().until(() -> cell.word(node).serves(role));
    }

    /** The newest two commands in the page's log: one that was asked what it would do, and then carried out. */
    private static void requireLogged(String asked, String done) {
        await().until(() -> watcher.text("#commands > :nth-child(1)").contains(done));
        assertThat(watcher.text("#commands > :nth-child(1)")).contains("by bob from 127.0.0.1", "done");
        assertThat(watcher.text("#commands > :nth-child(2)")).contains("by bob from 127.0.0.1", asked);
    }

    private static void requireNoProblem() {
        assertThat(watcher.browser().problems())
                .as("but that a token was asked for")
                .allMatch(problem -> problem.contains("status of 401"));
    }

    private boolean isPaused(int agent) throws Exception {
        try (TlsCaller caller = TlsCaller.of(cell.agent(agent).adminAddress(), folder.resolve("ca.pem"), null)) {
            return caller.withToken(GuardedServer.VIEWERS_TOKEN)
                    .get("/v1/status")
                    .body()
                    .contains("\"paused_cluster\":true");
        }
    }

    @Test
    void shouldDoWhatTheDryRunSays_onceAnOperatorHasConfirmed() {
        watcher.open(page, GuardedServer.OPERATORS_TOKEN, 4);
        await().until(() -> watcher.text("#facts").contains("you: bob, operator"));

        openNode("node-3");
        watcher.browser().evaluate("document.getElementById('move-to').value = 'shop/proxy'");
        watcher.browser().click("#move");
        assertThat(dryRun()).contains("would be done", "node-3 from shop/app to shop/proxy");
        assertThat(cell.word(3).serves(APP)).as("a dry run changes nothing").isTrue();
        assertThat(confirm()).contains("Move node-3 to shop/proxy: done", "node-3 from shop/app to shop/proxy");
        requireRole(3, PROXY);
        requireLogged("Move node-3 to shop/proxy (asked only)", "Move node-3 to shop/proxy");

        watcher.browser().click("#undo");
        assertThat(dryRun()).contains("node-3 from shop/proxy to shop/app");
        assertThat(confirm()).contains("Undo the newest move: done");
        requireRole(3, APP);
        requireLogged("Undo the newest move (asked only)", "Undo the newest move");

        command("node-2", "#drain");
        assertThat(dryRun()).contains("node-2 from shop/proxy to drained");
        assertThat(confirm()).contains("Drain node-2: done");
        requireRole(2, Role.DRAINED);
        requireLogged("Drain node-2 (asked only)", "Drain node-2");

        command("node-2", "#undrain");
        assertThat(dryRun()).contains("node-2 from drained to spare");
        assertThat(confirm()).contains("Undrain node-2: done");
        requireRole(2, Role.SPARE);
        requireLogged("Undrain node-2 (asked only)", "Undrain node-2");

        requireNoProblem();
    }

    @Test
    void shouldPauseAndResumeTheCluster_andShowWhatBecameOfItUntilThatIsDismissed() throws Exception {
        watcher.open(page, GuardedServer.OPERATORS_TOKEN, 4);
        await().until(() -> watcher.isShown("#pause"));

        watcher.browser().click("#pause");
        assertThat(dryRun()).contains("shop: stays");
        assertThat(watcher.isShown("#force-row")).isFalse();
        assertThat(isPaused(1)).isFalse();
        assertThat(confirm()).contains("Pause the decisions of the cluster: done", "Paused: the cluster.");
        await().until(() -> isPaused(1) && isPaused(4));
        await().until(() -> watcher.text("#facts").contains("paused by bob since"));
        requireLogged("Say what would be decided", "Pause the decisions of the cluster");

        watcher.open(page, GuardedServer.OPERATORS_TOKEN, 4);
        await().until(() -> watcher.text("#facts").contains("paused by bob since"));
        requireLogged("Say what would be decided", "Pause the decisions of the cluster");

        await().until(() -> watcher.isShown("#pause"));
        watcher.browser().click("#pause");
        assertThat(watcher.text("#command-title")).isEqualTo("Resume the decisions of the cluster");
        dryRun();
        assertThat(confirm()).contains("Resume the decisions of the cluster: done", "Nothing is paused.");
        await().until(() -> !isPaused(1) && !isPaused(4));
        await().until(() -> !watcher.text("#facts").contains("paused"));

        watcher.browser().click("#pause");
        dryRun();
        confirm();
        assertThat(watcher.text("#outcomes")).contains("Pause the decisions", "Resume the decisions");
        watcher.browser().click("#outcomes > :first-child button");
        assertThat(watcher.text("#outcomes")).contains("Resume the decisions").doesNotContain("Pause the decisions");
        requireNoProblem();
    }

    /** One of the things that only a person may pass over. */
    @Test
    void shouldDoWhatIsRefused_onceAnOperatorForcesIt() {
        cell.agent(4).reconfigure(Clusters.withApps(cell.config(), new TierBounds(1, 3)));
        watcher.open(page, GuardedServer.OPERATORS_TOKEN, 4);
        await().until(() -> watcher.browser()
                .isTrue("document.querySelector('[data-node=node-4]').ariaLabel.includes('another cluster file')"));

        openNode("node-3");
        watcher.browser().evaluate("document.getElementById('move-to').value = 'shop/proxy'");
        watcher.browser().click("#move");
        await().until(() -> watcher.text("#answer").contains("node-4 has another cluster file"));
        assertThat(watcher.browser().isTrue("document.getElementById('confirm').disabled"))
                .isTrue();

        watcher.browser().click("#force");
        assertThat(dryRun()).contains("would be done", "node-3 from shop/app to shop/proxy");
        assertThat(confirm()).contains("Move node-3 to shop/proxy, forced: done");
        requireRole(3, PROXY);
        await().until(() -> watcher.text("#commands > :nth-child(1)").contains("Move node-3 to shop/proxy, forced"));

        command("node-2", "#drain");
        await().until(() -> watcher.text("#answer").contains("node-4 has another cluster file"));
        assertThat(watcher.browser().isTrue("document.getElementById('force').checked"))
                .as("for each command anew")
                .isFalse();
        requireNoProblem();
    }

    private PrefixProxy proxy(boolean keepsHost) {
        return proxy(keepsHost, null);
    }

    private PrefixProxy proxy(boolean keepsHost, @Nullable PemPair shown) {
        HostPort agent = cell.agent(1).adminAddress();
        try (TlsCaller caller = TlsCaller.of(agent, folder.resolve("ca.pem"), shown)) {
            return PrefixProxy.guarded("/ops/retier", agent, caller.context(), keepsHost);
        }
    }

    @Test
    void shouldCommand_behindAPathOfAProxyThatKeepsTheHost() {
        try (PrefixProxy proxy = proxy(true)) {
            watcher.open(proxy.page(), GuardedServer.OPERATORS_TOKEN, 4);
            await().until(() -> watcher.isShown("#pause"));
            watcher.browser().click("#pause");
            dryRun();
            assertThat(confirm()).contains("Pause the decisions of the cluster: done");
        }
    }

    @Test
    void shouldSayWhatAProxyMustKeep_whenItDoesNot() {
        try (PrefixProxy proxy = proxy(false)) {
            watcher.open(proxy.page(), GuardedServer.OPERATORS_TOKEN, 4);
            await().until(() -> watcher.isShown("#pause"));
            watcher.browser().click("#pause");
            await().until(() -> watcher.text("#answer").contains("another origin"));

            assertThat(watcher.text("#answer")).contains("proxy_set_header Host $http_host");
            assertThat(watcher.browser().isTrue("document.getElementById('confirm').disabled"))
                    .isTrue();
        }
    }

    @Test
    void shouldSayThatTheCellHasGoneOn_andDoNothing() throws Exception {
        watcher.open(page, GuardedServer.OPERATORS_TOKEN, 4);
        await().until(() -> watcher.isShown("#undo"));
        command("node-3", "#drain");
        assertThat(dryRun()).contains("node-3 from shop/app to drained");

        ControlClient.ask(cell.controlSocket(1), new Command.Drain("node-2", new Manner(false, false)), PATIENCE);
        await().until(() -> watcher.place("node-2").equals("drained"));

        assertThat(confirm())
                .contains(
                        "Drain node-3: refused",
                        "the cell has gone on to epoch " + cell.word(2).epoch())
                .contains("look at what has changed, and give the command again");
        assertThat(cell.word(3).serves(APP)).isTrue();
    }

    @Test
    void shouldPause_whenTheCellHasGoneOn() throws Exception {
        watcher.open(page, GuardedServer.OPERATORS_TOKEN, 4);
        await().until(() -> watcher.isShown("#pause"));
        watcher.browser().click("#pause");
        dryRun();

        ControlClient.ask(cell.controlSocket(1), new Command.Drain("node-2", new Manner(false, false)), PATIENCE);
        await().until(() -> watcher.place("node-2").equals("drained"));

        assertThat(confirm()).contains("Pause the decisions of the cluster: done", "Paused: the cluster.");
    }

    @Test
    void shouldHideCommandsFromViewers_andTheAgentRefusesThem() {
        watcher.open(page, GuardedServer.VIEWERS_TOKEN, 4);
        await().until(() -> watcher.text("#facts").contains("you: prometheus, viewer"));
        openNode("node-3");
        for (String button : List.of("#pause", "#undo", "#move", "#drain", "#undrain")) {
            assertThat(watcher.isShown(button)).as(button).isFalse();
        }

        int status = watcher.browser().evaluate(VIEWERS_PAUSE).asInt();
        assertThat(status).isEqualTo(403);
        assertThat(watcher.text("#facts")).doesNotContain("paused");
    }

    @Test
    void shouldAskForAToken_andShowNothingOfTheCellBefore() {
        watcher.browser().navigate(page);
        for (String wrong : List.of("wrong", "token-of-nobody")) {
            watcher.show(wrong);
            await().until(() -> watcher.isShown("#token-form"));
            assertThat(watcher.tiles()).isZero();
            assertThat(watcher.text("body")).doesNotContain("node-1", "shop");
            assertThat(watcher.isShown("#actions")).isFalse();
        }
        watcher.show(GuardedServer.VIEWERS_TOKEN);
        await().until(() -> watcher.isLive() && watcher.tiles() == 4);
        assertThat(watcher.isShown("#token-form")).isFalse();
        assertThat(watcher.browser()
                        .evaluate("document.getElementById('token').value")
                        .asString())
                .isEmpty();
    }

    /** In place of a browser, which asks a person which of his certificates it may show. */
    @Test
    void shouldAskForNoToken_whenACertificateSaysWhoItIs() {
        try (PrefixProxy proxy = proxy(true, GuardedServer.ann(folder))) {
            watcher.open(proxy.page(), 4);
            await().until(() -> watcher.text("#facts").contains("you: ann, operator"));
            assertThat(watcher.isShown("#token-form")).isFalse();

            watcher.browser().click("#pause");
            dryRun();
            assertThat(confirm()).contains("Pause the decisions of the cluster: done");
            await().until(() -> watcher.text("#commands > :nth-child(1)").contains("by ann from 127.0.0.1"));
            assertThat(watcher.browser().problems()).isEmpty();
        }
    }

    @Test
    void shouldAskForATokenAgain_whenTheOneInUseIsTakenAway() throws Exception {
        HostPort agent = cell.agent(1).adminAddress();
        try (Detour way = new Detour(new InetSocketAddress(agent.host(), agent.port()))) {
            URI detour =
                    Watcher.guardedPage(new HostPort("127.0.0.1", way.address().getPort()));
            watcher.open(detour, GuardedServer.OPERATORS_TOKEN, 4);
            await().until(() -> watcher.isShown("#pause"));

            GuardedServer.writeTokens(
                    folder, Tokens.line("prometheus", CallerRole.VIEWER, GuardedServer.VIEWERS_TOKEN) + "\n");
            way.cut();
            await().until(() -> watcher.isShown("#token-form"));
            await().until(() -> !watcher.isShown("#pause"));

            watcher.show(GuardedServer.VIEWERS_TOKEN);
            await().until(watcher::isLive);
            await().until(() -> watcher.text("#facts").contains("you: prometheus, viewer"));
            assertThat(watcher.isShown("#pause")).isFalse();
        }
    }
}
