package dev.retier.agent.config;

import dev.retier.state.SiteId;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What stands before the proxies of one site.
 *
 * @param name as commands and logs call it
 * @param site whose proxies it sends to
 * @param kind what it is
 * @param file the one file that is generated for it
 * @param server the server, null for a target list
 */
public record EdgeConfig(
        String name,
        SiteId site,
        EdgeKind kind,
        Path file,
        @Nullable ServerConfig server) {}
