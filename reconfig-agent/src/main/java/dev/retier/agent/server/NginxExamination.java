package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.status.NginxServers.Server;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a move needs of nginx as an administrator has configured it: its page, the generated file, the site's server
 * blocks, and of a node that may be an app their own content. One use.
 */
final class NginxExamination {
    private static final String REDIRECT_REMEDY =
            "write if ($retier_https = \"\") { return 301 https://$host$request_uri; } in place of the return that"
                    + " sends them there, with what is to answer them in the same server block";

    private static final Pattern OF_APPS =
            Pattern.compile("(?m)^[^#\\n]*(\\$retier_(?:forward|cluster|port|proto|https))\\b");

    private final ServerExamination examination;
    private final ServerConfig server;
    private final NginxDialect dialect;
    private final String config;

    NginxExamination(ServerExamination examination, NginxDialect dialect) {
        this.examination = examination;
        this.server = examination.server();
        this.dialect = dialect;
        this.config = server.controlled().config().toString();
    }

    /**
     * All checks.
     *
     * @param isChecked whether its checker is content
     */
    void examine(boolean isChecked) throws InterruptedException {
        status();
        if (isChecked) {
            sites().ifPresent(server.canBeApp() ? this::blocks : this::unsaid);
        }
        examination.loaded();
        examination.proof();
        if (!server.canBeApp()) {
            return;
        }
        for (String host : examination.hosts()) {
            if (!content(host)) {
                break; // none of the others will be answered either
            }
        }
    }

    private Optional<NginxSites> sites() throws InterruptedException {
        try {
            return Optional.of(
                    NginxSites.of(examination.cluster(), server, ServerLook.dumpOfNginx(server), _ -> false));
        } catch (IOException e) {
            examination.unknown("server-blocks", ServerExamination.reason(e));
            return Optional.empty();
        }
    }

    /** Each that has a site's name must ask the generated file, or it always does the same. */
    private void blocks(NginxSites sites) {
        List<Server> lacking = sites.ours().stream()
                .filter(one -> !one.redirects() && !sites.forwards(one))
                .toList();
        for (Server one : lacking) {
            examination.bad(
                    "server-blocks",
                    "server block " + String.join(" ", one.names()) + " does not ask the generated file whether to send"
                            + " on, so that it does the same in every role",
                    one.file().toString(),
                    "retier install nginx writes what is needed at its beginning; where this node is to forward alone,"
                            + " write tiers: [proxy] into its server");
        }
        if (lacking.isEmpty() && !sites.ours().isEmpty()) {
            examination.good("server-blocks", sites.ours().size() + " of the sites ask the generated file");
        }
    }

    /** What only the file of a node says that may be an app: asked of another, it is nothing, or refused. */
    private void unsaid(NginxSites sites) {
        if (server.controlled().template() != null) {
            return; // its file says what its administrator wants
        }
        sites.files().forEach((file, text) -> {
            Matcher asked = OF_APPS.matcher(text);
            if (!file.equals(server.roleFile()) && asked.find()) {
                examination.bad(
                        "server-blocks",
                        file + " asks for " + asked.group(1) + ", which the generated file does not say, as tiers is"
                                + " [proxy]",
                        file.toString(),
                        "write there what conf/nginx/proxy.conf has, or name both tiers in the node's server");
            }
        });
    }

    private void status() {
        try {
            var _ = dialect.page(ServerExamination.TIMEOUT);
            examination.good("status", "read at " + server.admin());
        } catch (IOException e) {
            examination.bad(
                    "status",
                    server.admin() + ": " + ServerExamination.reason(e),
                    config,
                    "give it the status page, as conf/ of retier shows, and reload");
        }
    }

    /**
     * A location that has an add_header of its own does not inherit those of its server block.
     *
     * @return whether anything answers
     */
    private boolean content(String host) {
        String asked = server.address() + " for " + server.provePath() + " of host " + host;
        try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
            HttpFetch.Answer own = new OwnContent(examination, REDIRECT_REMEDY)
                    .examine(fetch, server.provePath() + "?retier-proof=1", asked);
            if (own.status() < 300
                    && Mark.ofHeader(own.headers().get(EpochProbe.HEADER)).isEmpty()) {
                examination.bad(
                        "header",
                        "as an app the node does not say by which file it answers, asked " + asked,
                        config,
                        "write add_header X-Retier-Epoch $retier_epoch always; beside the other add_header lines of the"
                                + " location that answers there, or name another prove-path");
            }
            return true;
        } catch (IOException e) {
            return false; // found by the proof, and said
        }
    }
}
