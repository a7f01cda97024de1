package dev.retier.agent.config;

/** Which server runs beside an agent. */
public enum ServerKind {
    /** The small Undertow server of this project, steered by its role file. */
    WEB_NODE("web-node");

    private final String word;

    ServerKind(String word) {
        this.word = word;
    }

    /** The word used in the configuration. */
    public String word() {
        return word;
    }
}
