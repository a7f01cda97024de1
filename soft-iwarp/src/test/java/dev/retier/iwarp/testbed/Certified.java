package dev.retier.iwarp.testbed;

import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.RereadListener;
import dev.retier.config.tls.TrustFile;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.PemPair;
import dev.retier.testsupport.TestAuthority.Subject;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Keys of nodes of one authority, in files of a temporary folder. */
public final class Certified {
    private static final RereadListener DEAF = new RereadListener() {
        @Override
        public void taken(List<Path> files) {}

        @Override
        public void refused(PemException why) {
            throw why;
        }
    };

    private final TestAuthority authority;
    private final Path folder;
    private final AtomicInteger count = new AtomicInteger();

    /** An authority of this name, and no node yet. */
    public Certified(String authority) {
        this.authority = new TestAuthority(authority);
        try {
            this.folder = Files.createTempDirectory("certified");
            this.authority.writeTo(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a node that believes this authority. */
    public TlsKeys keys(Subject subject) {
        return keys(subject, this);
    }

    /** Of a node that believes the other authority. */
    public TlsKeys keys(Subject subject, Certified believed) {
        try {
            PemPair files = authority.issue(subject).writeTo(folder, "holder-" + count.incrementAndGet());
            return new TlsKeys(
                    KeyFiles.open(files.certificate(), files.key(), DEAF),
                    TrustFile.open(believed.folder.resolve("ca.pem"), DEAF));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
