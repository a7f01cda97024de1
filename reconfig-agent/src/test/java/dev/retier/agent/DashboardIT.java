package dev.retier.agent;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.PrefixProxy;
import dev.retier.agent.fixture.Watcher;
import dev.retier.agent.move.MovePhase;
import dev.retier.config.HostPort;
import dev.retier.testsupport.Chromium;
import dev.retier.testsupport.Chromium.Window;
import dev.retier.testsupport.Detour;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page of a running agent, as a person at a real browser meets it. */
class DashboardIT {
    private static final Logger LOG = LoggerFactory.getLogger(DashboardIT.class);
    private static final Window PHONE = new Window(390, 844, false);
    private static final Window NIGHT = new Window(1400, 1000, true);

    /** From an order to what is seen of it: some 0.2 s where other programs leave a processor for it. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** Of text and what is behind it (WCAG 2.2, 1.4.3). */
    private static final double LEAST_CONTRAST = 4.5;

    @TempDir
    private static Path browserFolder = Path.of("");

    private static Watcher watcher;

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void openBrowser() throws Exception {
        watcher = new Watcher(new Chromium(browserFolder));
    }

    @AfterAll
    static void closeBrowser() {
        if (watcher != null) {
            watcher.close();
        }
    }

    @BeforeEach
    void useScreen() {
        watcher.browser().navigate(URI.create("about:blank"));
        watcher.browser().show(Window.SCREEN);
    }

    private AgentCell cell() {
        AgentCell cell = AgentCell.start(folder, 2, 2);
        await().until(() -> cell.agents().stream().allMatch(Agent::isReady));
        return cell;
    }

    /** Has the proxies take a node; the event of its order. */
    private static MoveEvent pressProxies(AgentCell cell) {
        cell.load(PROXY, 1.0);
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> cell.moves().stream().anyMatch(move -> move.phase() == MovePhase.ORDERED));
        return cell.moves().stream()
                .filter(move -> move.phase() == MovePhase.ORDERED)
                .findFirst()
                .orElseThrow();
    }

    private static String name(MoveEvent move) {
        return "node-" + move.node().value();
    }

    @Test
    void shouldShowAMoveAtOnce_andAskNobodyElseForAnything() {
        try (AgentCell cell = cell()) {
            URI page = Watcher.page(cell.agent(1).adminAddress());
            watcher.open(page, 4);
            assertThat(watcher.place("node-1")).isEqualTo("shop/proxy");
            assertThat(watcher.place("node-4")).isEqualTo("shop/app");
            assertThat(watcher.text("#seen")).startsWith("seen by node-1 ");
            await().until(() -> watcher.text("#facts").contains("viewer"));
            assertThat(watcher.browser().isTrue("document.getElementById('actions').hidden"))
                    .as("buttons for operators alone")
                    .isTrue();

            MoveEvent ordered = pressProxies(cell);
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> watcher.place(name(ordered)).equals("shop/proxy"));
            Duration shown = Duration.ofNanos(System.nanoTime() - ordered.atNanos());

            assertThat(shown).as("from the order to the tile").isLessThan(LONGEST);
            LOG.info("a tile followed its order within {} ms", shown.toMillis());
            await().until(() -> watcher.moves().stream()
                    .anyMatch(row -> row.contains(name(ordered) + "\tshop/app\tshop/proxy\tdone\t")));
            assertThat(watcher.browser().problems()).isEmpty();
            assertThat(watcher.browser().requests())
                    .hasSizeGreaterThan(10)
                    .allMatch(request -> request.startsWith(page.toString()));
        }
    }

    @Test
    void shouldSayThatTheAgentIsGone_andShowWhatItMissedWhenItIsBack() throws Exception {
        try (AgentCell cell = cell();
                Detour way = new Detour(socket(cell.agent(1).adminAddress()))) {
            watcher.open(URI.create("http://127.0.0.1:" + way.address().getPort() + "/"), 4);
            MoveEvent first = pressProxies(cell);
            await().until(() -> watcher.moves().stream().anyMatch(row -> row.contains("\tdone\t")));
            way.block();
            cell.load(PROXY, 0.0);
            cell.load(APP, 1.0);
            await().until(() -> cell.serving(APP).size() > 1 && cell.allIdle());
            assertThat(watcher.moves())
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains(name(first) + "\tshop/app\tshop/proxy\t");

            way.cut();
            await().until(() ->
                    watcher.moves().stream().anyMatch(row -> row.contains("\tshop/proxy\tshop/app\tdone\t")));
            await().until(watcher::isLive);
            assertThat(watcher.browser().requests().stream().filter(request -> request.endsWith("/v1/moves")))
                    .as("it goes on where it was, and asks for nothing again")
                    .hasSize(1);

            cell.closeAgent(1);
            await().until(() -> watcher.browser().isTrue("document.documentElement.classList.contains('lost')"));
            assertThat(watcher.text("#connection")).contains("tries again");
        }
    }

    private static InetSocketAddress socket(HostPort at) {
        return new InetSocketAddress(at.host(), at.port());
    }

    @Test
    void shouldBeWhole_behindAPathOfAProxy() throws Exception {
        try (AgentCell cell = cell();
                PrefixProxy proxy = PrefixProxy.of("/ops/retier", cell.agent(1).adminAddress())) {
            watcher.open(proxy.page(), 4);

            assertThat(watcher.browser().problems()).isEmpty();
            assertThat(watcher.browser().requests())
                    .anyMatch(request -> request.endsWith("/v1/events"))
                    .anyMatch(request -> request.endsWith("/v1/moves"))
                    .allMatch(request -> request.startsWith(proxy.page().toString()));
        }
    }

    @Test
    void shouldBeReadable_inTheDarkAndOnAPhone() {
        try (AgentCell cell = cell()) {
            watcher.open(Watcher.page(cell.agent(1).adminAddress()), 4);
            String light = colour("--card");
            requireContrasts();
            watcher.browser().show(NIGHT);
            assertThat(colour("--card")).isNotEqualTo(light);
            requireContrasts();

            watcher.browser().show(PHONE);
            assertThat(watcher.browser()
                            .evaluate("document.documentElement.scrollWidth")
                            .asInt())
                    .as("nothing to be scrolled sideways")
                    .isLessThanOrEqualTo(PHONE.width());
        }
    }

    private static String colour(String variable) {
        return watcher.browser()
                .evaluate("getComputedStyle(document.documentElement).getPropertyValue('" + variable + "').trim()")
                .asString();
    }

    private static void requireContrasts() {
        for (String text : List.of("--ink", "--quiet", "--proxy", "--app", "--good", "--bad", "--moving", "--warn")) {
            for (String behind : List.of("--card", "--page")) {
                requireContrast(text, behind);
            }
        }
        for (String kind : List.of("good", "bad", "moving", "warn")) {
            requireContrast("--" + kind, "--" + kind + "-back");
            requireContrast("--ink", "--" + kind + "-back");
        }
    }

    private static void requireContrast(String text, String behind) {
        double first = luminance(colour(text));
        double second = luminance(colour(behind));
        double contrast = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
        assertThat(contrast).as("%s on %s", text, behind).isGreaterThanOrEqualTo(LEAST_CONTRAST);
    }

    /** Relative luminance of a colour of three or six hexadecimal digits (WCAG 2.2). */
    private static double luminance(String hex) {
        String digits = hex.length() == 4 ? hex.replaceAll("([0-9a-f])", "$1$1") : hex;
        int rgb = Integer.parseInt(digits.substring(1), 16);
        return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 0xff) + 0.0722 * linear(rgb & 0xff);
    }

    private static double linear(int channel) {
        double share = channel / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }

    @Test
    void shouldBeUsedByKeys() {
        try (AgentCell cell = cell()) {
            watcher.open(Watcher.page(cell.agent(1).adminAddress()), 4);
            List<String> reached = new ArrayList<>();
            for (int presses = 0; presses < 9; presses++) {
                watcher.browser().press("Tab");
                reached.add(watcher.browser()
                        .evaluate("(({dataset, id, tagName}) => dataset.node || id || tagName)(document.activeElement)")
                        .asString());
                assertThat(watcher.browser().isTrue("getComputedStyle(document.activeElement).outlineStyle !== 'none'"))
                        .as("%s: it is seen where the focus is", reached.getLast())
                        .isTrue();
            }
            assertThat(reached)
                    .containsExactly(
                            "A", "filter", "node-1", "node-2", "node-3", "node-4", "SUMMARY", "moves-scroll", "A");

            watcher.browser().evaluate("document.querySelector('[data-node=node-3]').focus()");
            watcher.browser().press("Enter");
            await().until(() -> watcher.browser().isTrue("document.getElementById('node-dialog').open"));
            assertThat(watcher.text("#node-name")).isEqualTo("node-3");
            watcher.browser().press("Escape");
            await().until(() -> !watcher.browser().isTrue("document.querySelector('dialog[open]')"));
            assertThat(watcher.browser().isTrue("document.activeElement.dataset.node === 'node-3'"))
                    .as("the focus is back where it was")
                    .isTrue();
        }
    }

    @Test
    void shouldNameEverythingToScreenReaders() {
        try (AgentCell cell = cell()) {
            watcher.open(Watcher.page(cell.agent(1).adminAddress()), 4);
            await().until(() -> watcher.browser().isTrue("document.querySelector('[aria-label*=\"Now: proxies\"]')"));
            List<String> names = new ArrayList<>(watcher.browser().accessibleNames());
            watcher.browser().click("[data-node=node-2]");
            names.addAll(watcher.browser().accessibleNames());

            assertThat(names)
                    .anyMatch(name -> name.startsWith("button: node-1, shop/proxy, load "))
                    .contains("searchbox: Filter nodes", "button: Close", "dialog: node-2", "region: shop")
                    .anyMatch(name -> name.startsWith("image: Used, the last ten minutes. Now: proxies "))
                    .noneMatch(name -> name.matches(
                            "(button|link|searchbox|textbox|combobox|checkbox|dialog|region|image|img): *"));
        }
    }
}
