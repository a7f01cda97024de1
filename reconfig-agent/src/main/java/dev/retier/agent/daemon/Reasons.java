package dev.retier.agent.daemon;

import dev.retier.agent.command.Answer;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.tls.PemException;
import dev.retier.state.RoleWord;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Why a node has undone an order: its own agent knows, and what the server said. Stateless. */
final class Reasons {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int OK = 200;

    private Reasons() {}

    /** {@code answer} with the reason and the words, or with who could not be asked; within {@code timeout}. */
    static Answer added(Answer answer, NodeConfig node, RoleWord order, Duration timeout, AdminConfig admin) {
        String who = "the agent of " + node.name() + " at " + node.agentAdmin();
        try (HttpFetch fetch = new HttpFetch(node.agentAdmin(), Credentials.ofNode(node.name(), admin))) {
            HttpFetch.Answer told = fetch.get("/v1/status", timeout);
            if (told.status() != OK) {
                answer.body().put("detail", who + " answered " + told.status() + " when asked why; see its log");
                return answer;
            }
            move(told.body(), order)
                    .ifPresentOrElse(
                            found -> answer.body()
                                    .put(
                                            "reason",
                                            found.path("rolled_back_because").asString(""))
                                    .put(
                                            "sentence",
                                            sentence(found.path("rolled_back_because")
                                                    .asString("")))
                                    .put(
                                            "detail",
                                            found.path("rolled_back_detail").asString("")),
                            () -> answer.body().put("detail", who + " does not know why any more; see its log"));
        } catch (IOException e) {
            answer.body().put("detail", who + " could not be asked why (" + Credentials.reason(e) + "); see its log");
        } catch (JacksonException | PemException e) {
            answer.body().put("detail", who + " could not be asked why (" + e.getMessage() + "); see its log");
        }
        return answer;
    }

    /** An agent of another version may have a reason that this one does not know. */
    private static String sentence(String reason) {
        return Stream.of(RollbackReason.values())
                .filter(known -> known.name().equals(reason))
                .map(RollbackReason::sentence)
                .findFirst()
                .orElse("");
    }

    private static Optional<JsonNode> move(String status, RoleWord order) {
        return MAPPER.readTree(status)
                .path("moves")
                .valueStream()
                .filter(move -> move.path("epoch").asLong(-1) == order.epoch()
                        && !move.path("rolled_back_because").asString("").isEmpty())
                .reduce((_, later) -> later);
    }
}
