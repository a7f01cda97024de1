package dev.retier.agent.server;

import dev.retier.agent.status.Finding;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What nginx's checker says where the agent's user is not root: it opens all that nginx itself opens, keys, pid file
 * and logs, one after the other. Stateless.
 */
final class NginxRefusals {
    private static final Pattern DENIED =
            Pattern.compile("\\[emerg\\][^;\"]*\"(/[^\"]+)\"[^;]*(?:Permission denied|Read-only file system)");

    private static final Pattern NO_COPY =
            Pattern.compile("^a copy of .* cannot be checked: .*(?:AccessDenied|Read-only file system)");

    private NginxRefusals() {}

    /** What the checker's refusal means, where it is one of rights. */
    static Optional<Finding> of(String summary, ServerExamination examination) {
        Matcher denied = DENIED.matcher(summary);
        if (denied.find()) {
            return Optional.of(rights(
                    "nginx's checker, as " + ServerExamination.user() + ", may not open " + denied.group(1),
                    examination));
        }
        return NO_COPY.matcher(summary).find() ? Optional.of(rights(summary, examination)) : Optional.empty();
    }

    private static Finding rights(String detail, ServerExamination examination) {
        return Finding.bad(
                "check",
                detail,
                examination.place("server.check"),
                "have root's nginx check the file as it reloads, which undoes a move that it refuses:"
                        + " check: [/usr/bin/true], reload: [/usr/bin/systemctl, reload, nginx]; or run the agent as"
                        + " root");
    }
}
