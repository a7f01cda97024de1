package dev.retier.agent.config;

import dev.retier.agent.config.AdminConfig.Tls;
import dev.retier.config.Fields;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code admin} of a cluster file, and holds the addresses of agents against it. Owned by one parse. */
final class AdminParser {
    private static final Pattern NAME = Pattern.compile("\\P{Cntrl}{1,253}");
    private static final Pattern PEM_PATH = Pattern.compile("[^\\p{Cntrl}{}]{1,4096}");
    private static final String PEM_REMEDY =
            ", as it is called on each machine: {node} has a meaning in rdma.tls alone";
    private static final int MAX_NAMES = 1_024;
    private static final Boolean[] CHOICES = {true, false};

    private final AdminConfig admin;
    private final Fields fields;
    private boolean isTold;

    private AdminParser(AdminConfig admin, Fields fields) {
        this.admin = admin;
        this.fields = fields;
    }

    static AdminParser of(Fields fields) {
        Tls tls = fields.has("tls") ? tls(fields.section("tls")) : null;
        AdminConfig admin = new AdminConfig(
                tls,
                fields.optionalText("tokens-file", ServerParser.PATH, "name a file")
                        .map(Path::of),
                names(fields, "viewers"),
                names(fields, "operators"),
                fields.oneOf("open-reads", CHOICES, false, String::valueOf),
                fields.oneOf("insecure", CHOICES, false, String::valueOf));
        fields.finish();
        check(fields, admin);
        return new AdminParser(admin, fields);
    }

    AdminConfig admin() {
        return admin;
    }

    private static Tls tls(Fields fields) {
        Tls tls = new Tls(
                Path.of(fields.text("certificate", PEM_PATH, "name the file of the agent's certificate" + PEM_REMEDY)),
                Path.of(fields.text("key", PEM_PATH, "name the file of the certificate's private key" + PEM_REMEDY)),
                Path.of(fields.text(
                        "client-ca",
                        PEM_PATH,
                        "name the file of who signs the certificates of clients and of the nodes, by which agents ask"
                                + " each other; `retier cert new` makes one")));
        fields.finish();
        return tls;
    }

    private static Set<String> names(Fields fields, String key) {
        return fields.has(key)
                ? Set.copyOf(fields.texts(key, MAX_NAMES, NAME, "write a name of a client certificate").stream()
                        .distinct()
                        .toList())
                : Set.of();
    }

    private static void check(Fields fields, AdminConfig admin) {
        for (String key : List.of("viewers", "operators")) {
            if (fields.has(key) && admin.tls() == null) {
                fields.problem(
                        key,
                        "are names of client certificates, which nobody is asked for: give tls, or tokens in"
                                + " tokens-file");
            }
        }
        if (admin.tls() == null) {
            if (admin.isReadByAll()) {
                fields.problem("open-reads", "without tls everybody may read anyhow; leave it out, or give tls");
            }
            return;
        }
        if (admin.isInsecure()) {
            fields.problem("insecure", "is for agents without tls; leave one of them out");
        }
    }

    /** An agent listens there; of all that must not, the first is told. */
    void agent(Fields node) {
        String host = node.address("agent", 0).host();
        if (isTold || node.isRefused("agent") || admin.tls() != null || !AdminConfig.isReachedByOthers(host)) {
            return;
        }
        if (admin.tokensFile().isPresent()) {
            isTold = true;
            fields.problem(
                    "tokens-file",
                    "tokens would be sent in clear to " + node.address("agent", 0)
                            + ", which others reach; give admin.tls, or have all agents listen on 127.0.0.1");
        } else if (!admin.isInsecure()) {
            isTold = true;
            node.problem(
                    "agent",
                    "others reach " + node.address("agent", 0) + ", and nothing says who may; give admin.tls"
                            + " (certificate, key and client-ca), let the agent listen on"
                            + " 127.0.0.1, or write admin: {insecure: true} if everybody in its network may read all");
        }
    }
}
