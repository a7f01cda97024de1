package dev.retier.agent.server;

import java.io.IOException;
import java.util.Map;

/**
 * Whether a server that is proxy and app answers by its own content what a proxy has sent on to it, as it does in every
 * role.
 *
 * @param examination which notes what is found
 * @param redirectRemedy what to write where it sends everybody to TLS, also those who have come to a proxy by it
 */
record OwnContent(ServerExamination examination, String redirectRemedy) {
    /**
     * Asks as a proxy does; where that sends everybody to TLS, as one for somebody who has come to it by that.
     *
     * @param asked the same for people
     * @return the answer that counts
     */
    HttpFetch.Answer examine(HttpFetch fetch, String path, String asked) throws IOException {
        String hop = examination.cluster().name();
        HttpFetch.Answer own = fetch.probe(path, Map.of("X-Retier-Hop", hop), ServerExamination.TIMEOUT);
        if (isToTls(own)) {
            own = fetch.probe(
                    path,
                    Map.of("X-Retier-Hop", hop, "X-Retier-Tls", "on", "X-Forwarded-Proto", "https"),
                    ServerExamination.TIMEOUT);
            if (isToTls(own)) {
                examination.bad(
                        "redirect",
                        "as an app the node sends those on to https who have come to a proxy by it, round and round",
                        examination.server().controlled().config().toString(),
                        redirectRemedy);
                return own;
            }
            examination.good("redirect", "who has come to a proxy by https is not sent there again");
        }
        if (own.status() >= 200 && own.status() < 400) {
            examination.good("content", "answers " + own.status() + " as an app");
        } else {
            examination.bad(
                    "content",
                    "as an app the node answers " + own.status() + ", asked " + asked,
                    examination.place("server.prove-path"),
                    "have what the site's own host answers with know that path, on every node");
        }
        return own;
    }

    private static boolean isToTls(HttpFetch.Answer answer) {
        return answer.status() >= 300
                && answer.status() < 400
                && answer.headers().getOrDefault("location", "").startsWith("https:");
    }
}
