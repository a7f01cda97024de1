package dev.retier.agent.config;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A directive that may never change by a reload of a kind of server. A generated file that has it is refused.
 *
 * @param directive matches a line that has it
 * @param why what would happen
 */
public record Hazard(Pattern directive, String why) {
    /** httpd reads all of this again in a graceful restart, and its parent exits when it cannot have it. */
    static final List<Hazard> HTTPD = List.of(
            directive("Listen|ListenBackLog", "a busy port passes the checker and then ends httpd's parent"),
            directive("LoadModule|LoadFile", "a change of MPM passes the checker and then ends httpd's parent"),
            directive("ServerLimit|ThreadLimit", "httpd cannot change it in a graceful restart"),
            directive("ServerRoot|PidFile|User|Group|ScoreBoardFile", "it belongs to the operator's own file"));

    /** nginx keeps its old workers when it cannot have these, so the change would never come into force. */
    static final List<Hazard> NGINX = List.of(
            directive("listen", "a busy port passes the checker and then nginx keeps its old configuration"),
            directive("load_module|user|pid|daemon|master_process", "it belongs to the operator's own file"));

    /** HAProxy keeps its old worker when it cannot have these. */
    static final List<Hazard> HAPROXY = List.of(
            directive("bind", "a busy port passes the checker and then HAProxy keeps its old configuration"),
            directive(
                    "stats\\s+socket|chroot|user|group|uid|gid|nbthread|pidfile|daemon|master-worker",
                    "it belongs to the operator's own file"));

    private static Hazard directive(String names, String why) {
        return new Hazard(Pattern.compile("^\\s*(?:" + names + ")\\b.*", Pattern.CASE_INSENSITIVE), why);
    }
}
