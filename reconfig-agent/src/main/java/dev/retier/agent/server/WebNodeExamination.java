package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import java.io.IOException;

/** Whether a web-node tells its status. One use. */
final class WebNodeExamination {
    private final ServerExamination examination;

    WebNodeExamination(ServerExamination examination) {
        this.examination = examination;
    }

    void examine() {
        ServerConfig server = examination.server();
        try (HttpFetch fetch = new HttpFetch(server.admin())) {
            HttpFetch.Answer answer = fetch.get("/status", ServerExamination.TIMEOUT);
            if (answer.status() == 200) {
                examination.good("status", "read at " + server.admin());
            } else {
                examination.bad(
                        "status",
                        server.admin() + "/status answers " + answer.status(),
                        examination.place("server.admin"),
                        "name the admin address of the web-node");
            }
        } catch (IOException e) {
            examination.bad(
                    "status",
                    server.admin() + ": " + ServerExamination.reason(e),
                    examination.place("server.admin"),
                    "start the web-node, or name its admin address");
        }
    }
}
