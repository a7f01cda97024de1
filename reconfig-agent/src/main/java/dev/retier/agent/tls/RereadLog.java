package dev.retier.agent.tls;

import dev.retier.config.tls.PemException;
import dev.retier.config.tls.RereadListener;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what became of files that have changed.
 *
 * @param who reads them, for people
 */
public record RereadLog(String who) implements RereadListener {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    @Override
    public void taken(List<Path> files) {
        LOG.info("{}: read again: {}", who, files);
    }

    @Override
    public void refused(PemException why) {
        LOG.warn("{}: what was read before stays in force: {}", who, why.getMessage());
    }
}
