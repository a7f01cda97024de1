package dev.retier.agent.doctor;

import dev.retier.agent.access.CertificateText;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.status.Finding;
import dev.retier.agent.tls.Credentials;
import dev.retier.agent.tls.RereadLog;
import dev.retier.agent.tls.TokenFiles;
import dev.retier.config.tls.Certificates;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.PemException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whether the agent of a node can prove who it is, and for how long. One use. */
final class TlsExamination {
    /** Long enough for somebody to see it and to ask for another. */
    private static final Duration SOON = Duration.ofDays(14);

    private final ClusterConfig cluster;
    private final NodeConfig node;
    private final ClusterLines lines;

    TlsExamination(ClusterConfig cluster, NodeConfig node, ClusterLines lines) {
        this.cluster = cluster;
        this.node = node;
        this.lines = lines;
    }

    /** By which this node asks others; none when its files cannot be used, which is a finding. */
    Credentials credentials() {
        try {
            return Credentials.ofNode(node.name(), cluster.admin());
        } catch (PemException e) {
            return Credentials.NONE;
        }
    }

    /** Of the files of {@code admin}; none where it names none. */
    List<Finding> findings(Instant now) {
        AdminConfig admin = cluster.admin();
        AdminConfig.Tls tls = admin.tls();
        try {
            admin.tokensFile().ifPresent(TokenFiles::tokens);
            if (tls == null) {
                return List.of();
            }
            Credentials _ = Credentials.ofNode(node.name(), admin);
            X509Certificate own = KeyFiles.open(tls.certificate(), tls.key(), new RereadLog(node.name()))
                    .certificate();
            return List.of(judged(own, now));
        } catch (PemException e) {
            return List.of(Finding.bad("tls", String.valueOf(e.getMessage()), lines.at("admin"), "as it says"));
        }
    }

    private Finding judged(X509Certificate own, Instant now) {
        Optional<String> wrong = Certificates.whyNotValid(own, now);
        String names = CertificateText.names(own);
        Instant until = own.getNotAfter().toInstant();
        String place = lines.at("admin.tls.certificate");
        if (wrong.isPresent()) {
            return Finding.bad(
                    "tls", "the certificate of " + names + " is no good, " + wrong.get(), place, "give it another");
        }
        if (until.isBefore(now.plus(SOON))) {
            return Finding.bad(
                    "tls", "the certificate of " + names + " is good until " + until, place, "give it another soon");
        }
        String host = node.agentAdmin().host();
        return CertificateText.isFor(own, host)
                ? Finding.good("tls", "the certificate is for " + names + ", and good until " + until)
                : Finding.bad(
                        "tls",
                        "the certificate is for " + names + ", and others reach this agent at " + host,
                        place,
                        "give it one that is also for " + host);
    }
}
