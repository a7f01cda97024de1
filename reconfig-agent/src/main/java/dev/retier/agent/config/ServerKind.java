package dev.retier.agent.config;

/** Which server runs beside an agent. */
public enum ServerKind {
    /** The small Undertow server of this project, steered by its role file. */
    WEB_NODE("web-node", true);

    private final String word;
    private final boolean keepsRequests;

    ServerKind(String word, boolean keepsRequests) {
        this.word = word;
        this.keepsRequests = keepsRequests;
    }

    /** The word used in the configuration. */
    public String word() {
        return word;
    }

    /**
     * Whether a switch of role cuts no request: those in the server are answered in the role in which they began.
     * Then a
     * drain need only wait until no new ones come.
     */
    public boolean keepsRequests() {
        return keepsRequests;
    }
}
