package dev.retier.agent.config;

import dev.retier.state.Tier;
import java.util.List;
import java.util.Set;

/** Which server runs beside an agent, and what is known of each kind: its tiers, its switches, its hazards. */
public enum ServerKind {
    /** Undertow with the library undertow-node, as the web-node of this project: it follows its role file by itself. */
    WEB_NODE("web-node", false),
    /** Apache httpd 2.4: proxy and app on the same machine. Role and members change at run time. */
    HTTPD("httpd", true),
    /** nginx: proxy and app on the same machine. It has no run-time change: role and members change by one reload. */
    NGINX("nginx", false),
    /** HAProxy in master-worker mode: forwards only. Role and members change at run time, by its stats socket. */
    HAPROXY("haproxy", true);

    private final String word;
    private final boolean changesMembersAtRunTime;

    ServerKind(String word, boolean changesMembersAtRunTime) {
        this.word = word;
        this.changesMembersAtRunTime = changesMembersAtRunTime;
    }

    /** The word used in the configuration. */
    public String word() {
        return word;
    }

    /** The names that its program goes by where nobody has renamed it. */
    public List<String> programs() {
        return switch (this) {
            case WEB_NODE -> List.of();
            case HTTPD -> List.of("httpd", "apache2");
            case NGINX -> List.of("nginx");
            case HAPROXY -> List.of("haproxy");
        };
    }

    /** In which it can serve; each kind can be spare. */
    public Set<Tier> tiers() {
        return switch (this) {
            case WEB_NODE, HTTPD, NGINX -> Set.of(Tier.PROXY, Tier.APP);
            case HAPROXY -> Set.of(Tier.PROXY);
        };
    }

    /**
     * Whether members can be taken out and in, and another role taken, without a reload; then a file lists them all and
     * marks those out.
     */
    public boolean changesMembersAtRunTime() {
        return changesMembersAtRunTime;
    }

    /**
     * Whether it takes another role without a reload: it answers each request in the role in which that began, and one
     * that comes late, sent to what it was, in the role that it has.
     */
    public boolean changesRoleAtRunTime() {
        return this == WEB_NODE || changesMembersAtRunTime;
    }

    /** Whether the agent installs its file and makes it reload; a web-node follows its file by itself. */
    public boolean isReloaded() {
        return this != WEB_NODE;
    }

    /** Whether a proxy of that kind can be told to let a share of its kept connections go, each after an answer. */
    public boolean letsConnectionsGo() {
        return switch (this) {
            case WEB_NODE, HTTPD, HAPROXY -> true;
            case NGINX -> false;
        };
    }

    /** What may never change by a reload of it. */
    public List<Hazard> hazards() {
        return switch (this) {
            case WEB_NODE -> List.of();
            case HTTPD -> Hazard.HTTPD;
            case NGINX -> Hazard.NGINX;
            case HAPROXY -> Hazard.HAPROXY;
        };
    }
}
