package dev.retier.cli.cert;

import dev.retier.agent.access.CertificateText;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier cert sign}. */
@Command(
        name = "sign",
        description = "Make a key, and a certificate signed by the authority of `retier cert new`: NAME.key, NAME.pem.",
        footer = {
            "A node is known by its name, as in the cluster file, and reached by what its key agent says: give that by"
                    + " --ip or --dns.",
            "In a folder of the group retier, as the package makes /etc/retier, that group may read the key; elsewhere"
                    + " its owner alone."
        })
final class SignCommand implements Callable<Integer> {
    private static final Pattern DNS_NAME =
            Pattern.compile("(?=.{1,253}\\z)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\\.[A-Za-z0-9_-]{1,63})*");
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description = "A node or an edge of the cluster file, or, with --client, whom viewers or operators name.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(names = "--dns", paramLabel = "NAME", description = "A host name by which it is reached; repeatable.")
    private List<String> dnsNames = List.of();

    @Option(names = "--ip", paramLabel = "ADDRESS", description = "An address by which it is reached; repeatable.")
    private List<String> addresses = List.of();

    @Option(names = "--client", description = "For who asks and is not asked: a person, a scraper.")
    private boolean isClient;

    @Option(
            names = "--ca",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Where ca.pem and ca.key are (default: here).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path authority;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Where to make both files (default: here); no file is ever overwritten.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "365",
            description = "For how long it is good, at most as long as the authority (default: ${DEFAULT-VALUE}).")
    private int days;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Subject subject = subject();
        CertFiles files = new CertFiles(folder, name);
        Issued signer = new CertFiles(authority, "ca").read();
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Instant last = signer.certificate().getNotAfter().toInstant();
        Instant asked = now.plus(CertFiles.days(days));
        Instant until = asked.isAfter(last) ? last : asked;
        if (!until.isAfter(now)) {
            throw new CommandFailure(
                    ExitCode.FAILED, "the authority was good until " + last + "; make another by `retier cert new`");
        }
        Issued issued = CertFiles.made(
                () -> new Authority(signer.certificate(), signer.key()).sign(subject, now, until, new SecureRandom()));
        String readers = files.writeShared(issued);
        PrintWriter out = spec.commandLine().getOut();
        out.println(files.certificate() + ": made, for " + CertificateText.names(issued.certificate()) + ", good until "
                + until);
        out.println(files.key() + ": made, " + readers);
        out.flush();
        return ExitCode.OK.code();
    }

    private Subject subject() {
        require("--name", name, FILE_NAME, "1 to 64 letters, digits, dots, dashes, underscores or @");
        if (isClient) {
            if (!dnsNames.isEmpty() || !addresses.isEmpty()) {
                throw new CommandFailure(
                        ExitCode.USAGE, "--client is for who is not asked, so it has no --dns and no --ip");
            }
            return Subject.client(name);
        }
        require("--name", name, DNS_NAME, "a node's name, or --client for who only asks");
        dnsNames.forEach(each -> require("--dns", each, DNS_NAME, "a host name"));
        return Subject.member(
                name,
                Stream.concat(Stream.of(name), dnsNames.stream()).distinct().toList(),
                addresses.stream().map(SignCommand::address).toList());
    }

    private static void require(String option, String value, Pattern form, String what) {
        if (!form.matcher(value).matches()) {
            throw new CommandFailure(ExitCode.USAGE, option + " " + value + ": write " + what);
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--ip " + text + ": write an address such as 192.0.2.1 or 2001:db8::1", e);
        }
    }
}
