package dev.retier.agent.server;

import dev.retier.agent.status.HttpdConfig;
import java.util.List;

/** What has to be loaded into httpd for what its generated file says. Stateless. */
public final class HttpdModules {
    /** Their names without {@code mod_}. */
    public static final List<String> NEEDED = List.of(
            "proxy",
            "proxy_http",
            "proxy_balancer",
            "slotmem_shm",
            "lbmethod_bybusyness",
            "rewrite",
            "headers",
            "setenvif",
            "status",
            "authz_host");

    private HttpdModules() {}

    /** Those that are not loaded, in that order. */
    public static List<String> missing(String dump) {
        return NEEDED.stream()
                .filter(module -> !HttpdConfig.loads(dump, module))
                .toList();
    }
}
