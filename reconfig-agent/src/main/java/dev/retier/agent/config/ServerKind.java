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
    HAPROXY("haproxy", true),
    /**
     * Any other, such as Tomcat, gunicorn, Node or Puma: app only, as nobody knows how it forwards. Its answers need
     * not say by which file they are made, if it reads one at all.
     */
    OTHER("other", false);

    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;

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
            case WEB_NODE, OTHER -> List.of();
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
            case OTHER -> Set.of(Tier.APP);
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
     * The tiers that it leaves for the other one without a gap, as it takes roles without a reload: it answers each
     * request in the role in which that began, and one that comes late, sent to what it was, in the role that it has.
     */
    public Set<Tier> answersLate() {
        return this == WEB_NODE || changesMembersAtRunTime ? Set.of(Tier.PROXY, Tier.APP) : Set.of();
    }

    /** Whether the agent installs its file and makes it reload; a web-node follows its file by itself. */
    public boolean isReloaded() {
        return this != WEB_NODE;
    }

    /** Whether a proxy of that kind can be told to let a share of its kept connections go, each after an answer. */
    public boolean letsConnectionsGo() {
        return switch (this) {
            case WEB_NODE, HTTPD, HAPROXY -> true;
            case NGINX, OTHER -> false;
        };
    }

    /** Whether each of its answers says by which file it is made, so that a file in force can be told from another. */
    public boolean showsItsFile() {
        return this != OTHER;
    }

    /**
     * Whether an answer of that status at its prove path says that it serves. One that shows no file has nothing else
     * to show: not found, as while an application is being deployed, is no proof of it.
     */
    public boolean isProof(int status) {
        return status < (showsItsFile() ? SERVER_ERROR : CLIENT_ERROR);
    }

    /** What may never change by a reload of it. */
    public List<Hazard> hazards() {
        return switch (this) {
            case WEB_NODE, OTHER -> List.of();
            case HTTPD -> Hazard.HTTPD;
            case NGINX -> Hazard.NGINX;
            case HAPROXY -> Hazard.HAPROXY;
        };
    }
}
