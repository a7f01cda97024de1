package dev.retier.agent.doctor;

import dev.retier.agent.access.CertificateText;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.RdmaTls;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.status.Finding;
import dev.retier.agent.tls.Credentials;
import dev.retier.agent.tls.RereadLog;
import dev.retier.agent.tls.TokenFiles;
import dev.retier.config.tls.Certificates;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.NodeName;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.TrustFile;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a node can prove who it is, to those who ask its agent and to other nodes, and for how long. One use. */
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

    /** Of the files of {@code admin} and of {@code rdma}; none where it names none. */
    List<Finding> findings(Instant now) {
        List<Finding> all = new ArrayList<>(ofAdmin(now));
        cluster.rdmaTls().ifPresent(files -> all.add(ofRdma(files, now)));
        return all;
    }

    private List<Finding> ofAdmin(Instant now) {
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
        Shown shown = new Shown("tls", own, lines.at("admin.tls.certificate"));
        String host = node.agentAdmin().host();
        return shown.ending(now)
                .orElseGet(() -> CertificateText.isFor(own, host)
                        ? shown.good()
                        : shown.bad(
                                "is for " + shown.names() + ", and others reach this agent at " + host,
                                "give it one that is also for " + host));
    }

    private Finding ofRdma(RdmaTls files, Instant now) {
        String name = node.name();
        RereadLog log = new RereadLog(name);
        try {
            TrustFile _ = TrustFile.open(files.authorities(name), log);
            X509Certificate own =
                    KeyFiles.open(files.certificate(name), files.key(name), log).certificate();
            Shown shown = new Shown("rdma-tls", own, lines.at("rdma.tls.certificate"));
            return shown.ending(now)
                    .orElseGet(() -> NodeName.refusal(own, name).isEmpty()
                            ? shown.good()
                            : shown.bad(
                                    "is for " + shown.names() + ", and this node is " + name,
                                    "give it one with the DNS name " + name));
        } catch (PemException e) {
            return Finding.bad("rdma-tls", String.valueOf(e.getMessage()), lines.at("rdma.tls"), "as it says");
        }
    }

    /** A certificate that this node shows, and where the cluster file names it. */
    private record Shown(String check, X509Certificate own, String place) {
        String names() {
            return CertificateText.names(own);
        }

        private Instant until() {
            return own.getNotAfter().toInstant();
        }

        Finding good() {
            return Finding.good(check, "the certificate is for " + names() + ", and good until " + until());
        }

        Finding bad(String what, String remedy) {
            return Finding.bad(check, "the certificate " + what, place, remedy);
        }

        /** That it is not valid, or soon no more; empty if it is. */
        Optional<Finding> ending(Instant now) {
            Optional<String> wrong = Certificates.whyNotValid(own, now);
            if (wrong.isPresent()) {
                return Optional.of(bad("of " + names() + " is no good, " + wrong.get(), "give it another"));
            }
            return until().isBefore(now.plus(SOON))
                    ? Optional.of(bad("of " + names() + " is good until " + until(), "give it another soon"))
                    : Optional.empty();
        }
    }
}
