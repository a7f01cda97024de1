package dev.retier.testsupport;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A page in a running Chromium, led by the DevTools protocol: what a person does with mouse and keys, what he sees, and
 * what the page asked for. Used by one thread.
 */
public final class DevTools implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final JsonMapper JSON = new JsonMapper();
    private static final Map<String, Integer> KEYS = Map.of("Tab", 9, "Enter", 13, "Escape", 27, " ", 32);

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private DevTools(Process process, int port) throws IOException, InterruptedException {
        this.process = process;
        HttpRequest pages = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                .build();
        JsonNode list = JSON.readTree(
                client.send(pages, HttpResponse.BodyHandlers.ofString()).body());
        String page = list.valueStream()
                .filter(one -> one.path("type").asString().equals("page"))
                .findFirst()
                .orElseThrow()
                .path("webSocketDebuggerUrl")
                .asString();
        this.socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(page), new Listener())
                .join();
        List.of("Page", "Runtime", "Log", "Network", "Accessibility")
                .forEach(domain -> call(domain + ".enable", Map.of()));
    }

    /** Of a browser that has just been started with that profile and a port of its own choice. */
    static DevTools of(Process process, Path profile) throws IOException, InterruptedException {
        Path chosen = profile.resolve("DevToolsActivePort");
        Awaitility.await()
                .atMost(LONGEST)
                .until(() -> Files.exists(chosen) && Files.readAllLines(chosen).size() == 2);
        return new DevTools(process, Integer.parseInt(Files.readAllLines(chosen).getFirst()));
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                JsonNode message = JSON.readTree(text.toString());
                text.setLength(0);
                CompletableFuture<JsonNode> asked =
                        answers.remove(message.path("id").asInt(0));
                if (asked == null) {
                    heard(message.path("method").asString(""), message.path("params"));
                } else {
                    asked.complete(message);
                }
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void heard(String event, JsonNode of) {
        switch (event) {
            case "Runtime.exceptionThrown" ->
                problems.add(of.path("exceptionDetails").toString());
            case "Log.entryAdded" -> problem(of.path("entry").path("level").asString(), of.path("entry"));
            case "Runtime.consoleAPICalled" -> problem(of.path("type").asString(), of.path("args"));
            case "Network.requestWillBeSent" ->
                requests.add(of.path("request").path("url").asString());
            default -> {} // of no matter here
        }
    }

    private void problem(String level, JsonNode what) {
        if (level.equals("error") || level.equals("warning")) {
            problems.add(level + ": " + what);
        }
    }

    /** Calls a method of the protocol and returns its result. */
    public JsonNode call(String method, Map<String, ?> parameters) {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        JsonNode message =
                answer.orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS).join();
        if (message.has("error")) {
            throw new IllegalStateException(method + ": " + message.path("error"));
        }
        return message.path("result");
    }

    /** Opens a page, and returns when it has been loaded. Problems and requests are counted from here. */
    public void navigate(URI page) {
        problems.clear();
        requests.clear();
        call("Page.navigate", Map.of("url", page.toString()));
        Awaitility.await()
                .atMost(LONGEST)
                .until(() -> evaluate("document.readyState + ' ' + location.href")
                        .asString()
                        .startsWith("complete " + page));
    }

    /** The value of an expression in the page, of a promise what it comes to. */
    public JsonNode evaluate(String expression) {
        JsonNode result = call(
                "Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true, "awaitPromise", true, "userGesture", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** Whether an expression is true in the page. */
    public boolean isTrue(String expression) {
        return evaluate("!!(" + expression + ")").asBoolean(false);
    }

    /** Presses and releases the mouse in the middle of the one element that this CSS selector finds. */
    public void click(String selector) {
        JsonNode at = evaluate("(() => { const it = document.querySelector(" + JSON.writeValueAsString(selector)
                + "); it.scrollIntoView({block: 'center'}); const box = it.getBoundingClientRect();"
                + " return [box.left + box.width / 2, box.top + box.height / 2]; })()");
        for (String type : List.of("mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    Map.of("type", type, "x", at.get(0), "y", at.get(1), "button", "left", "clickCount", 1));
        }
    }

    /** Presses and releases a key: Tab, Enter, Escape or the space bar. */
    public void press(String key) {
        int code = Objects.requireNonNull(KEYS.get(key), key);
        String text = key.equals("Enter") ? "\r" : key.equals(" ") ? " " : "";
        call(
                "Input.dispatchKeyEvent",
                Map.of("type", "keyDown", "key", key, "windowsVirtualKeyCode", code, "text", text));
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
    }

    /** Puts text where the focus is. */
    public void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** Shows the page in a window of that kind from now on. */
    public void show(Chromium.Window window) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", window.width(), "height", window.height(), "deviceScaleFactor", 1, "mobile", false));
        call(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", window.dark() ? "dark" : "light"))));
    }

    /** What is seen now. */
    public BufferedImage screenshot() throws IOException {
        String png = call("Page.captureScreenshot", Map.of()).path("data").asString();
        return ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(png)));
    }

    /** Exceptions, errors and warnings of the page since it was opened, those of the console and of the browser. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** The addresses that were asked for since the page was opened, its own the first. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** What a screen reader is told of that is shown: each element's role and name, as in {@code button: Pause}. */
    public List<String> accessibleNames() {
        return call("Accessibility.getFullAXTree", Map.of())
                .path("nodes")
                .valueStream()
                .filter(node -> !node.path("ignored").asBoolean(false))
                .map(node -> node.path("role").path("value").asString("") + ": "
                        + node.path("name").path("value").asString(""))
                .toList();
    }

    /** Ends the browser. */
    @Override
    public void close() {
        var _ = socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true);
        try {
            if (!process.waitFor(LONGEST)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }
}
