package dev.retier.agent.config;

import dev.retier.config.Fields;
import dev.retier.config.HostPort;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the lines about a server of kind {@code other}. Stateless. */
final class OtherParser {
    /** As systemd names units (systemd.unit(5)), but for options of systemctl; without a suffix it is a service. */
    private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9:_.\\\\@][A-Za-z0-9:_.\\\\@-]{0,254}");

    /** Keys of the file that it reads. */
    private static final List<String> OF_FILE =
            List.of("check", "reload", "reload-idle", "reload-interval", "check-deadline", "converge-deadline");

    private static final int MOST_REQUESTS = 1 << 20;

    private OtherParser() {}

    /** The keys of it; the caller finishes {@code fields}. */
    static ServerConfig server(Fields fields, Path notes) {
        HostPort address = ServerParser.reached(fields);
        String statusPath = fields.optionalText("status-path", ServerParser.URL_PATH, ServerParser.URL_PATH_REMEDY)
                .orElse("");
        if (fields.has("admin") && statusPath.isEmpty()) {
            fields.problem("admin", "nothing is asked there; leave it out, or name the page that counts: status-path");
        }
        HostPort admin = fields.has("admin") ? ServerParser.address(fields, "admin") : address;
        Path template = ServerParser.template(fields);
        Path file = file(fields, template, notes);
        String provePath = fields.optionalText("prove-path", ServerParser.URL_PATH, ServerParser.URL_PATH_REMEDY)
                .orElse(ServerConfig.DEFAULT_PROVE_PATH);
        return new ServerConfig(
                ServerKind.OTHER,
                address,
                admin,
                file,
                provePath,
                control(fields, file, template, statusPath),
                ServerKind.OTHER.tiers());
    }

    /** Where there is no template, the agent's own note of the role; no server reads it. */
    private static Path file(Fields fields, @Nullable Path template, Path notes) {
        if (template == null && fields.has("role-file")) {
            fields.problem(
                    "role-file",
                    "nobody knows what this server reads: give the file a template, or leave role-file out, and the"
                            + " server is told nothing");
        }
        return template == null ? notes.resolve("role-other") : ServerParser.absolute(fields, "role-file");
    }

    private static ServerControl control(Fields fields, Path file, @Nullable Path template, String statusPath) {
        MainProcess process = process(fields);
        String program = fields.optionalText("program", ServerParser.WORD, "name the server's program")
                .orElse("");
        ServerControl.Commands usual = ServerControl.Commands.usual(ServerKind.OTHER, program);
        if (template == null) {
            for (String key : OF_FILE) {
                if (fields.has(key)) {
                    fields.problem(
                            key,
                            "is never used, as this server is told nothing; leave it out, or give role-file and"
                                    + " template");
                }
            }
        } else {
            reloads(fields, statusPath);
        }
        List<String> start = process instanceof MainProcess.OfUnit(String unit)
                ? List.of("systemctl", "start", "--", unit)
                : usual.restart();
        return new ServerControl(
                file,
                process,
                statusPath,
                null,
                template,
                new ServerControl.Commands(
                        program,
                        ServerParser.command(fields, "check", usual.check()),
                        ServerParser.command(fields, "reload", usual.reload()),
                        ServerParser.command(fields, "restart", start),
                        ServerParser.command(fields, "stop", usual.stop()),
                        ServerParser.command(fields, "reload-idle", usual.reloadIdle())),
                ServerParser.limits(fields, requestsAtOnce(fields, statusPath)),
                ServerParser.alsoPidFiles(fields));
    }

    /** A signal that one program takes for a reload ends another, so none is usual. */
    private static void reloads(Fields fields, String statusPath) {
        if (!fields.has("reload")) {
            fields.problem(
                    "reload",
                    "nobody knows how this server is made to read its file again: write the command that does it and"
                            + " finishes what is in flight, such as [/bin/sh, -c, 'kill -HUP \"$0\"', \"{pid}\"] for"
                            + " gunicorn");
        }
        if (fields.has("reload-idle") && statusPath.isEmpty()) {
            fields.problem("reload-idle", "no page tells when nothing is in flight; give status-path, or leave it out");
        }
    }

    private static MainProcess process(Fields fields) {
        if (fields.has("unit") == fields.has("pid-file")) {
            fields.problem(
                    "pid-file",
                    "say by either of two whose process it is: unit, where systemd runs it, or the pid-file that it"
                            + " writes");
        }
        return fields.has("unit")
                ? new MainProcess.OfUnit(fields.text("unit", UNIT, "write the name of a unit of systemd"))
                : new MainProcess.InFile(
                        fields.has("pid-file") ? ServerParser.absolute(fields, "pid-file") : Path.of("/"));
    }

    private static int requestsAtOnce(Fields fields, String statusPath) {
        if (!fields.has("requests-at-once")) {
            return ServerControl.Limits.UNLIMITED;
        }
        if (statusPath.isEmpty()) {
            fields.problem(
                    "requests-at-once",
                    "no page tells how many there are, and of connections many may be idle; give status-path, or leave"
                            + " it out");
        }
        return fields.integer("requests-at-once", null, 1, MOST_REQUESTS);
    }
}
