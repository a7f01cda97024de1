package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.status.Finding;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What httpd's checker says of configurations that administrators meet, and what is to be done then. Stateless. */
final class HttpdRefusals {
    private static final Map<String, String> MODULE_OF = Map.of(
            "RewriteEngine", "rewrite",
            "SetEnvIfExpr", "setenvif",
            "RequestHeader", "headers",
            "Header", "headers",
            "BalancerPersist", "proxy",
            "ProxyPass", "proxy",
            "<Proxy", "proxy",
            "BalancerMember", "proxy");

    private static final Pattern INVALID = Pattern.compile("Invalid command '([^']+)'");
    private static final Pattern LACKS = Pattern.compile(
            "(?:provider[: ]+'?ip\\b|LB provider|lbmethod|Lookup provider|mod_[a-z_]+ (?:is )?not loaded)");
    private static final Pattern UNREADABLE = Pattern.compile("SSLCertificateKeyFile: file '([^']+)' does not exist");

    private HttpdRefusals() {}

    /** What the checker's refusal means, where it is one that administrators meet. */
    static Optional<Finding> of(String summary, String place, ServerExamination examination) {
        Matcher key = UNREADABLE.matcher(summary);
        Matcher invalid = INVALID.matcher(summary);
        if (key.find()) {
            return Optional.of(Finding.bad(
                    "tls-keys",
                    "httpd's checker, as " + ServerExamination.user() + ", does not find " + key.group(1)
                            + ", and refuses all",
                    place,
                    "if it is there, let " + ServerExamination.user() + " enter its folder (setfacl -m u:"
                            + ServerExamination.user() + ":x FOLDER); the checker does not read it"));
        }
        if (invalid.find() && MODULE_OF.containsKey(invalid.group(1))) {
            return Optional.of(missing(MODULE_OF.get(invalid.group(1)), place));
        }
        if (summary.contains("${APACHE_") || summary.contains("APACHE_RUN_DIR")) {
            return Optional.of(Finding.bad(
                    "check",
                    "Debian's configuration needs the variables of /etc/apache2/envvars: " + summary,
                    examination.place("server.check"),
                    "set it to [/usr/sbin/apache2ctl, -t, -D, RETIER_STAGED]"));
        }
        if (summary.contains("cannot occur within")) {
            return Optional.of(Finding.bad(
                    "include",
                    "the generated file is not included before the virtual hosts: " + summary,
                    place,
                    "write before them: " + line(examination.server()) + ", or have retier install httpd do it"));
        }
        return LACKS.matcher(summary).find()
                ? Optional.of(Finding.bad("modules", summary, place, "load the module that it names (a2enmod)"))
                : Optional.empty();
    }

    /** The line by which httpd reads the generated file. */
    static String line(ServerConfig server) {
        return "IncludeOptional \"" + server.roleFile() + "\"";
    }

    /** That a module is not loaded. */
    static Finding missing(String module, String place) {
        return Finding.bad(
                "modules",
                "mod_" + module + " is not loaded",
                place,
                "load it: a2enmod " + module + ", or LoadModule " + module + "_module modules/mod_" + module + ".so");
    }
}
