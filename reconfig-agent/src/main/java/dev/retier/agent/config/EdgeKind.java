package dev.retier.agent.config;

/** What stands before the proxies of a site. */
public enum EdgeKind {
    /** HAProxy: proxies are taken out and in by its stats socket. */
    HAPROXY,
    /** nginx: each change is a reload. */
    NGINX,
    /** A file with the target list as JSON, for whatever reads it. */
    TARGET_LIST
}
