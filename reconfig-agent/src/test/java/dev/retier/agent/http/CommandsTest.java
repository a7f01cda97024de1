package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.access.Caller;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandText;
import dev.retier.agent.fixture.StubApi;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands over HTTP, by an operator's token. */
class CommandsTest {
    private static final String DRAIN = "{\"command\":\"drain\",\"node\":\"web-3\",\"dry_run\":true}";
    private static final String JSON = "application/json";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Semaphore endings = new Semaphore(100);
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final StubApi api = new StubApi() {
        @Override
        public void refused(Command command, Caller caller, String why) {
            refused.add(caller.name() + " at " + caller.address() + ": " + CommandText.print(command) + ", " + why);
        }

        @Override
        public Answer command(Command command, Caller caller) throws InterruptedException {
            asked.add(caller.name() + " at " + caller.address() + ": " + CommandText.print(command));
            endings.acquire();
            if (command instanceof Command.Plan) {
                throw new IllegalStateException("planned to fail");
            }
            return Answer.of(Answer.Outcome.REFUSED, "below min");
        }
    };

    @TempDir
    private Path folder = Path.of("");

    @AutoClose
    private final GuardedServer server = new GuardedServer(api);

    private TlsCaller bob;

    @BeforeEach
    void start() throws IOException {
        server.start(folder, "operators: [ann]");
        bob = server.caller().withToken(GuardedServer.OPERATORS_TOKEN);
    }

    private HttpResponse<String> send(String key, String body, String... more) throws Exception {
        String[] headers = new String[4 + more.length];
        System.arraycopy(new String[] {"Idempotency-Key", key, "Content-Type", JSON}, 0, headers, 0, 4);
        System.arraycopy(more, 0, headers, 4, more.length);
        return bob.command(body, headers);
    }

    private void requireProblem(HttpResponse<String> answer, int status, String detail) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue(Problem.TYPE);
        assertThat(answer.body()).contains(detail);
        assertThat(asked).isEmpty();
    }

    @Test
    void shouldSayHowItEnded_andWhoAsked() throws Exception {
        HttpResponse<String> answer = send("k1", DRAIN);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"outcome\":\"refused\",\"detail\":\"below min\"}");
        assertThat(asked)
                .containsExactly("bob at 127.0.0.1: {\"command\":\"drain\",\"node\":\"web-3\",\"dry_run\":true,"
                        + "\"force\":false}");
    }

    @Test
    void shouldCarryItOutOnce_whenItIsSentAgain() throws Exception {
        HttpResponse<String> first = send("\"k1\"", DRAIN);
        HttpResponse<String> second = send("k1", DRAIN);

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(asked).hasSize(1);
        assertThat(send("k1", DRAIN.replace("3", "4")).statusCode()).isEqualTo(422);
        assertThat(send("k2", DRAIN).statusCode()).isEqualTo(200);
        assertThat(asked).hasSize(2);
    }

    @Test
    void shouldTellItsEndLater_whenItTakesLong() throws Exception {
        endings.drainPermits();
        HttpResponse<String> accepted = send("k1", DRAIN, "Prefer", "wait=0");
        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(accepted.headers().firstValue("Location")).hasValue("commands/k1");
        assertThat(accepted.headers().firstValue("Preference-Applied")).hasValue("wait=0");
        assertThat(bob.get("/v1/commands/k1").statusCode()).isEqualTo(202);
        HttpResponse<String> again = send("k1", DRAIN, "Prefer", "wait=0");
        assertThat(again.statusCode()).isEqualTo(202);
        assertThat(again.headers().firstValue("Location"))
                .as("its first answer may have been lost")
                .hasValue("commands/k1");
        endings.release();
        HttpResponse<String> ended = bob.ask("GET", "/v1/commands/k1", "Prefer", "wait=30");

        assertThat(ended.statusCode()).isEqualTo(200);
        assertThat(ended.body()).contains("\"refused\"");
        assertThat(asked).hasSize(1);
        assertThat(bob.get("/v1/commands/k2").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldTakeNoMore_whenManyAreUnderWay() throws Exception {
        endings.drainPermits();
        for (int i = 0; i < CommandKeys.MOST_UNDER_WAY; i++) {
            assertThat(send("k" + i, DRAIN, "Prefer", "wait=0").statusCode()).isEqualTo(202);
        }
        assertThat(send("more", DRAIN).statusCode()).isEqualTo(503);
        endings.release(100);
        assertThat(bob.ask("GET", "/v1/commands/k0", "Prefer", "wait=30").statusCode())
                .isEqualTo(200);
        assertThat(send("more", DRAIN).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldDoNothing_whenTheCellHasGoneOn() throws Exception {
        requireProblem(send("k1", "{\"command\":\"undo\",\"if_epoch\":6}"), 409, "to epoch 7 from 6");
        assertThat(refused)
                .containsExactly("bob at 127.0.0.1: {\"command\":\"undo\",\"dry_run\":false,\"force\":false},"
                        + " the cell has gone on to epoch 7 from 6");
        requireProblem(
                send("k1", "{\"command\":\"undo\",\"if_epoch\":9}"), 409, "the cell is at epoch 7, and not yet at 9");
        assertThat(send("k1", "{\"command\":\"undo\",\"if_epoch\":7}").statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldKeepWhatViewersTry_andRefuseIt() throws Exception {
        TlsCaller viewer = server.caller().withToken(GuardedServer.VIEWERS_TOKEN);
        for (String body : List.of("{\"command\":\"pause\"}", "no command", "x".repeat(9_000))) {
            assertThat(viewer.command(body, "Idempotency-Key", "k1", "Content-Type", JSON)
                            .statusCode())
                    .isEqualTo(403);
        }
        for (int i = 0; i < 50; i++) {
            viewer.command("{\"command\":\"plan\"}", "Content-Type", JSON);
        }

        assertThat(refused)
                .first()
                .isEqualTo("prometheus at 127.0.0.1: {\"command\":\"pause\",\"here\":false},"
                        + " may read, and only operators command");
        assertThat(refused).as("bounded").hasSizeBetween(2, 30);
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"command\":\"fly\"}",
                "{\"command\":\"drain\"}",
                "{\"command\":\"undo\",\"if_epoch\":\"7\"}",
                "{\"command\":\"undo\",\"if_epoch\":7.5}",
                "{\"command\":\"undo\",\"if_epoch\":7.0}",
                "{\"command\":\"undo\",\"if_epoch\":-1}",
                "{\"command\":\"undo\",\"if_epoch\":6,\"if_epoch\":7}",
                "{\"command\":\"plan\",\"command\":\"pause\"}",
                "{\"command\":\"undo\"",
                "{\"command\":\"undo\",\"also\":1}"
            })
    void shouldRefuseWhatIsNoCommand(String body) throws Exception {
        requireProblem(send("k1", body), 400, "no command of this version");
    }

    /** As a proxy might read it in another way than the agent. */
    @Test
    void shouldRefuseABody_thatIsNoUtf8() throws Exception {
        byte[] body = DRAIN.replace("web-3", "ÿþ").getBytes(StandardCharsets.ISO_8859_1);

        requireProblem(
                bob.command(BodyPublishers.ofByteArray(body), "Idempotency-Key", "k1", "Content-Type", JSON),
                400,
                "no command of this version");
    }

    @ParameterizedTest
    @CsvSource({
        "charset=utf-16, 415",
        "charset=ISO-8859-1, 415",
        "charset=, 415",
        "charset=UTF-8, 200",
        "a=b; Charset=\"utf-8\", 200",
        "a=b, 200"
    })
    void shouldTakeUtf8Alone(String parameters, int status) throws Exception {
        HttpResponse<String> answer =
                bob.command(DRAIN, "Idempotency-Key", "k1", "Content-Type", JSON + "; " + parameters);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    }

    @Test
    void shouldReadNamesOfAnyLetters() throws Exception {
        send("k1", DRAIN.replace("web-3", "wéb-日"));

        assertThat(asked).singleElement().asString().contains("\"wéb-日\"");
    }

    @ParameterizedTest
    @CsvSource({"1100, 400", "9000, 413"})
    void shouldRefuseWhatIsTooLong(int length, int status) throws Exception {
        String body = DRAIN.replace("web-3", "w".repeat(length));
        requireProblem(send("k1", body), status, "command");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a/b", "\"", "ü", "../x"})
    void shouldRefuseWhatIsNoKey(String key) throws Exception {
        requireProblem(send(key, DRAIN), 400, "no key of its own");
    }

    @Test
    void shouldRefuseWhatAFormOfAPageCouldSend() throws Exception {
        requireProblem(
                bob.command(DRAIN, "Idempotency-Key", "k1", "Content-Type", "text/plain"), 415, "no application/json");
    }

    @Test
    void shouldSayThatItFailed_whenTheAgentDoes() throws Exception {
        HttpResponse<String> answer = send("k1", "{\"command\":\"plan\"}");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue(Problem.TYPE);
    }

    @Test
    void shouldLetViewersReadHowOneEnded() throws Exception {
        send("k1", DRAIN);
        TlsCaller viewer = server.caller().withToken(GuardedServer.VIEWERS_TOKEN);

        assertThat(viewer.get("/v1/commands/k1").statusCode()).isEqualTo(200);
        assertThat(viewer.get("/v1/caller").body())
                .isEqualTo("{\"name\":\"prometheus\",\"role\":\"viewer\",\"may_command\":false}");
        assertThat(bob.get("/v1/caller").body()).contains("\"may_command\":true");
        assertThat(viewer.command(DRAIN, "Idempotency-Key", "k2", "Content-Type", JSON)
                        .statusCode())
                .isEqualTo(403);
        assertThat(asked).hasSize(1);
    }
}
