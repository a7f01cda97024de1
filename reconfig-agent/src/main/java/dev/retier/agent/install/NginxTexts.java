package dev.retier.agent.install;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.BuiltInTemplates;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.TemplateFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is written into an nginx for its node. Immutable.
 *
 * @param server that of the node
 */
record NginxTexts(ServerConfig server) {
    /** As packaged files such as fastcgi.conf tell an application of TLS. */
    private static final Pattern TLS = Pattern.compile(
            "(?m)^([ \\t]*)((?:fastcgi|uwsgi|scgi)_param)([ \\t]+)HTTPS[ \\t]+\\$https\\b[^;\\n]*;[^\\n]*\\R");

    private static final Pattern TOLD = Pattern.compile("HTTPS[ \\t]+\\$retier_https\\b");

    private static final String PASSED = """
            \tproxy_http_version 1.1;
            \tproxy_set_header Upgrade $retier_upgrade;
            \tproxy_set_header Connection $retier_connection;
            """;

    /** For a server block of a site. */
    String snippet() {
        return server.canBeApp() ? forwarding() : location();
    }

    /**
     * Stands first, as a rewrite that comes before it would change what an app is asked for. What is sent on goes to a
     * location that no client can ask for and none of the site's own comes before, with its body as it comes and its
     * target undecoded; the app says how large a body may be, and which headers an answer has. That it is sent on holds
     * once: a page for an error is the node's own. Its redirects name no port and no scheme, which would be the app's.
     */
    private static String forwarding() {
        return """
                if ($retier_forward) {
                \tset $retier_forward "";
                \trewrite ^ /.retier/forward last;
                }
                location = /.retier/forward {
                \tinternal;
                \tclient_max_body_size 0;
                \tproxy_pass http://%s$request_uri;
                %s\tproxy_set_header Host $host$retier_port;
                \tproxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                \tproxy_set_header X-Forwarded-Proto $retier_proto;
                \tproxy_set_header X-Retier-Hop $retier_cluster;
                \tproxy_set_header X-Retier-Tls $https;
                \tproxy_connect_timeout 2s;
                \tproxy_request_buffering off;
                \tproxy_intercept_errors off;
                \tproxy_redirect off;
                \tproxy_hide_header X-Retier-Epoch;
                \tadd_header X-Retier-Epoch $%s always;
                }
                location ^~ /.retier/ {
                \treturn 403;
                }
                absolute_redirect off;
                add_header X-Retier-Epoch $%3$s always;
                """.formatted(TemplateFiles.APPS, PASSED, Rendering.EPOCH_VARIABLE);
    }

    private static String location() {
        return """
                location / {
                \tproxy_pass http://%s;
                %s\tproxy_set_header Host $host;
                \tproxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                \tproxy_set_header X-Forwarded-Proto $scheme;
                \tproxy_set_header X-Retier-Hop "";
                \tproxy_set_header X-Retier-Tls "";
                \tproxy_connect_timeout 2s;
                \tproxy_hide_header X-Retier-Epoch;
                }
                location /.retier/ {
                \treturn 403;
                }
                add_header X-Retier-Epoch $%s always;
                """.formatted(TemplateFiles.APPS, PASSED, Rendering.EPOCH_VARIABLE);
    }

    /** For the block {@code http}: the agent's page. */
    String status() {
        return """
                server {
                \tlisten %s;
                \taccess_log off;
                \tlocation = %s {
                \t\tstub_status;
                \t\tadd_header X-Retier-Epoch $%s always;
                \t}
                }
                """.concat(BuiltInTemplates.NGINX_UPGRADE)
                .formatted(server.admin(), server.controlled().statusPath(), Rendering.EPOCH_VARIABLE);
    }

    /** A server block for these names, or for whoever asks where there are none. */
    static String server(List<String> addresses, List<String> names, Path snippet) {
        return "server {\n"
                + addresses.stream()
                        .map(address -> "\tlisten " + address + ";\n")
                        .collect(Collectors.joining())
                + "\tserver_name " + (names.isEmpty() ? "_" : String.join(" ", names)) + ";\n\tinclude " + snippet
                + ";\n}\n";
    }

    /** With a line after each that tells an application of TLS; the same text where there is none, or that is there. */
    static String withParameters(String text, String mark) {
        return TOLD.matcher(text).find()
                ? text
                : TLS.matcher(text).replaceAll("$0$1" + mark + "\n$1$2$3HTTPS \\$retier_https if_not_empty;\n");
    }
}
