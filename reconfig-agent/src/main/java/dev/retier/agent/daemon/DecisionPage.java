package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.loop.Answers;
import dev.retier.agent.view.RoleText;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Decisions, for programs. Stateless. */
final class DecisionPage {
    private static final JsonMapper MAPPER = new JsonMapper();

    private DecisionPage() {}

    /** One, without what other changes would be worth. */
    static String text(Decision decision, ClusterConfig config) {
        ObjectNode out = MAPPER.createObjectNode();
        show(out, decision, config);
        return MAPPER.writeValueAsString(out);
    }

    static void show(ObjectNode out, Decision decision, ClusterConfig config) {
        out.put("site", RoleText.site(decision.site(), config));
        out.put("reason", decision.reasonWord());
        out.put("sentence", decision.sentence());
        out.put("detail", decision.detail());
        switch (decision) {
            case Decision.Stay stay -> {
                out.put("decision", "stay");
                Decision.Change would = stay.would();
                if (would != null) {
                    Answers.waves(out.putArray("would"), would, config);
                }
            }
            case Decision.Change change -> {
                out.put("decision", "move");
                Answers.waves(out.putArray("waves"), change, config);
            }
        }
    }
}
