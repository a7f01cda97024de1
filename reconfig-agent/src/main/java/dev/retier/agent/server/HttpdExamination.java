package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.Member;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.RoleFlags;
import dev.retier.agent.status.BalancerPage;
import dev.retier.agent.status.Finding;
import dev.retier.agent.status.HttpdConfig;
import dev.retier.agent.status.HttpdVirtualHosts;
import dev.retier.agent.status.HttpdVirtualHosts.Section;
import dev.retier.agent.status.ServerPages;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a move needs of Apache httpd as an administrator has configured it: modules, keys, the two places of the
 * generated file, every virtual host of every site, the right content by the right one. One use.
 */
final class HttpdExamination {
    private static final Duration TIMEOUT = ServerExamination.TIMEOUT;

    private static final String REDIRECT_REMEDY =
            "write RewriteCond %{ENV:HTTPS} !=on before the RewriteRule that sends them there, in place"
                    + " of Redirect if it is one; this virtual host answers them then";

    private final ServerExamination examination;
    private final ServerConfig server;
    private final HttpdDialect dialect;
    private final String config;

    HttpdExamination(ServerExamination examination, HttpdDialect dialect) {
        this.examination = examination;
        this.server = examination.server();
        this.dialect = dialect;
        this.config = server.controlled().config().toString();
    }

    /**
     * All checks.
     *
     * @param dump what httpd says of its configuration; empty where its checker refuses it
     */
    void examine(String dump, Optional<Rendering> expected) {
        boolean isTold = status();
        if (!dump.isEmpty()) {
            modules(dump);
            keys(dump);
            virtualHosts(dump);
        }
        if (isTold) {
            loaded();
            expected.ifPresent(this::balancer);
        }
        for (String host : examination.hosts()) {
            if (!proof(host)) {
                break; // none of the others will be answered either
            }
        }
        exposed();
    }

    private void modules(String dump) {
        List<String> missing = HttpdModules.missing(dump);
        if (missing.isEmpty()) {
            examination.good("modules", "all loaded");
            return;
        }
        Finding first = HttpdRefusals.missing(missing.getFirst(), config);
        examination.bad(
                "modules",
                "not loaded: mod_" + String.join(", mod_", missing),
                config,
                missing.size() == 1 ? first.remedy() : "load them: a2enmod " + String.join(" ", missing));
    }

    /** Only root need read them; its checker, which is content, may not have looked whether they are there. */
    private void keys(String dump) {
        boolean isAnyBad = false;
        int found = 0;
        int unseen = 0;
        for (String file : HttpdConfig.files(dump)) {
            for (HttpdVirtualHosts.Named key : HttpdVirtualHosts.keys(read(file))) {
                Path path = Path.of(HttpdConfig.root(dump)).resolve(key.path());
                found++;
                unseen += Files.exists(path) || Files.notExists(path) ? 0 : 1;
                if (Files.notExists(path)) {
                    isAnyBad = true;
                    examination.bad(
                            "tls-keys",
                            path + " is not there",
                            file + ":" + key.line(),
                            "put the key there, or name the one that is, before anybody reloads: that would end httpd");
                }
            }
        }
        if (!isAnyBad && unseen > 0) {
            examination.unknown(
                    "tls-keys",
                    unseen + " of " + found + " that are named cannot be seen as " + ServerExamination.user()
                            + "; run doctor as root to know whether they are there");
        } else if (!isAnyBad && found > 0) {
            examination.good("tls-keys", found + " are named, none is missing");
        }
    }

    private static String read(String file) {
        return Processes.read(Path.of(file)).orElse("");
    }

    /** Each virtual host that has a site's name must read the generated file, or it always answers by itself. */
    private void virtualHosts(String dump) {
        if (HttpdConfig.files(dump).stream().noneMatch(this::isRoleFile) && Files.exists(server.roleFile())) {
            examination.bad(
                    "include",
                    "no file of httpd includes " + server.roleFile(),
                    config,
                    "write before the virtual hosts," + " and at the end of each of the sites' own: "
                            + HttpdRefusals.line(server) + ", or have retier install httpd do it");
            return;
        }
        SiteSections sections = SiteSections.of(examination.cluster(), dump);
        boolean isAnyBad = false;
        for (Section section : sections.all()) {
            if (!sections.includes(section, server.roleFile())) {
                isAnyBad = true;
                examination.bad(
                        "virtual-hosts",
                        "virtual host " + section.name() + " does not read the generated file, so that what comes to it"
                                + " is answered here also while the node is a proxy",
                        section.place(),
                        "write before its </VirtualHost>: " + HttpdRefusals.line(server));
            }
        }
        for (Section section : sections.all()) {
            OptionalInt rule = sections.ruleBefore(section, server.roleFile());
            if (rule.isPresent()) {
                isAnyBad = true;
                examination.bad(
                        "virtual-hosts",
                        "a RewriteRule of virtual host " + section.name()
                                + " ends with [L] before the generated file is"
                                + " read, so that what it matches is answered here also while the node is a proxy",
                        section.file() + ":" + rule.getAsInt(),
                        "write before it, in place of the end of the section: " + HttpdRefusals.line(server));
            }
        }
        otherNames(dump, sections);
        int found = sections.all().size();
        if (!isAnyBad && found > 0) {
            examination.good("virtual-hosts", found + " of the sites read the generated file");
        }
    }

    /** A proxy sends them on, and what answers for them at an app depends on the virtual hosts there. */
    private void otherNames(String dump, SiteSections sections) {
        Set<String> hosts = examination.hosts().stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        Set<String> others = sections.all().stream()
                .flatMap(section -> HttpdVirtualHosts.names(dump, section).stream())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(name -> !hosts.contains(name) && !name.contains("*") && !name.contains("?"))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!others.isEmpty()) {
            examination.unknown(
                    "names",
                    "virtual hosts of the sites also have " + String.join(", ", others)
                            + ", which no site has among its hosts: nobody examines what answers for"
                            + " them at the apps; add them to hosts");
        }
    }

    private boolean isRoleFile(String path) {
        return Path.of(path).equals(server.roleFile());
    }

    private boolean status() {
        try {
            var _ = dialect.page(TIMEOUT);
            examination.good("status", "read at " + server.admin());
            return true;
        } catch (IOException e) {
            if (!Files.exists(server.roleFile()) && !(e instanceof ConnectException)) {
                examination.bad(
                        "status",
                        server.roleFile() + ", which gives the status page, is not there",
                        examination.place("server.role-file"),
                        "start the agent, which writes it, and reload httpd once");
                return false;
            }
            examination.bad(
                    "status",
                    "nobody answers with it at " + server.admin() + " (" + ServerExamination.reason(e) + ")",
                    config,
                    "write \"Listen " + server.admin() + "\" there, and " + HttpdRefusals.line(server)
                            + " before the virtual hosts; then restart httpd once");
            return false;
        }
    }

    /** Of the two halves of the header httpd reads one with each request, from beside the generated file. */
    private void loaded() {
        String shown;
        try (HttpFetch fetch = new HttpFetch(server.admin())) {
            HttpFetch.Answer answer = fetch.get(server.controlled().statusPath() + "?auto", TIMEOUT);
            shown = answer.headers().getOrDefault(EpochProbe.HEADER, "");
        } catch (IOException e) {
            examination.unknown("loaded", ServerExamination.reason(e));
            return;
        }
        Optional<Mark> onDisk = MarkOnDisk.of(server.roleFile());
        // Where it shows nothing, and others than the owner may not get there, that is why.
        if (shown.isEmpty() && OthersAccess.mayNotRead(new RoleFlags(server.roleFile()).stamp())) {
            examination.bad(
                    "flags",
                    "httpd's user cannot read the small files beside " + server.roleFile()
                            + ", so that the node would stay what it is",
                    examination.place("server.role-file"),
                    "let the user of httpd's workers enter that folder and read there: chmod 755");
        } else if (onDisk.isEmpty()) {
            examination.unknown("loaded", server.roleFile() + " is not there yet; the agent writes it when it starts");
        } else if (!Mark.ofHeader(shown).map(Mark::structure).equals(onDisk.map(Mark::structure))) {
            examination.bad(
                    "loaded",
                    "httpd answers by " + (shown.isEmpty() ? "no file of retier" : shown) + ", and on disk is "
                            + onDisk.get(),
                    config,
                    "reload httpd once");
        } else {
            examination.good("loaded", "httpd answers by the file on disk");
        }
    }

    private void balancer(Rendering expected) {
        try (HttpFetch fetch = new HttpFetch(server.admin())) {
            BalancerPage page = dialect.balancer(fetch, expected.pool(), TIMEOUT);
            List<String> missing = expected.members().stream()
                    .filter(member -> !page.members().containsKey(HttpdDialect.url(member)))
                    .map(Member::name)
                    .toList();
            if (missing.isEmpty()) {
                examination.good("members", page.members().size() + " in balancer://" + expected.pool());
            } else {
                examination.bad(
                        "members",
                        "balancer://" + expected.pool() + " lacks " + String.join(", ", missing),
                        server.roleFile().toString(),
                        "start the agent again, so that it writes the file anew");
            }
        } catch (IOException e) {
            examination.bad(
                    "members",
                    ServerExamination.reason(e),
                    config,
                    "load mod_proxy_balancer, and leave " + HttpdDialect.BALANCER_PATH + " to the generated file");
        }
    }

    /**
     * As clients ask, and as a proxy that sends the request on: that is answered here in every role.
     *
     * @return whether anything answers
     */
    private boolean proof(String host) {
        String asked = server.address() + " for " + server.provePath() + " of host " + host;
        try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
            String path = server.provePath() + "?retier-proof=1";
            HttpFetch.Answer answer = fetch.probe(path, TIMEOUT);
            if (!answer.headers().containsKey(EpochProbe.HEADER)) {
                examination.bad(
                        "proof",
                        "asked " + asked + ": a virtual host answers (" + answer.status()
                                + ") that does not read the generated file",
                        config,
                        "write ServerName " + host + " (or ServerAlias) and, at its end, " + HttpdRefusals.line(server)
                                + " into the site's virtual host, and reload");
                return true;
            }
            examination.good("proof", host + " is answered by a virtual host that reads the generated file");
            new OwnContent(examination, REDIRECT_REMEDY).examine(fetch, path, asked);
            return true;
        } catch (IOException e) {
            examination.bad(
                    "proof",
                    "asked " + asked + ": " + ServerExamination.reason(e),
                    examination.place("server.address"),
                    "have httpd Listen there, or name the address where it does");
            return false;
        }
    }

    private void exposed() {
        String host = examination.hosts().getFirst();
        for (String path : List.of(server.controlled().statusPath() + "?auto", HttpdDialect.BALANCER_PATH)) {
            try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
                HttpFetch.Answer answer = fetch.getSaying(path, "X-Forwarded-For", "192.0.2.1", TIMEOUT);
                boolean isManager = answer.status() == 200 && answer.body().contains("Load Balancer Manager");
                if (answer.status() == 200
                        && (isManager || ServerPages.httpd(answer.body()).isPresent())) {
                    examination.bad(
                            "exposed",
                            "every client may ask " + server.address() + path,
                            config,
                            "take that Location out; the generated file has one at " + server.admin());
                }
            } catch (IOException e) {
                // That nobody answers there is another check's finding.
                return;
            }
        }
    }
}
