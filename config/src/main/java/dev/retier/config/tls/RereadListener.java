package dev.retier.config.tls;

import java.nio.file.Path;
import java.util.List;

/**
 * Hears what became of files that have changed: once per change. Called by the thread that needed them, in the midst of
 * a TLS handshake, so it may not wait for anything.
 */
public interface RereadListener {
    /** Of who reads files once. */
    RereadListener ONCE = new RereadListener() {
        @Override
        public void taken(List<Path> files) {}

        @Override
        public void refused(PemException why) {}
    };

    /** The files were read again and are in use from now on. */
    void taken(List<Path> files);

    /** The files have changed and are no good; {@code why} says which. What was read before stays in use. */
    void refused(PemException why);
}
