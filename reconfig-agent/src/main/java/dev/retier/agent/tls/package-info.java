/**
 * TLS between agents and those that ask them: what each end shows, what it believes, and what is wrong with the other's
 * certificate in words. Reads files.
 */
@NullMarked
package dev.retier.agent.tls;

import org.jspecify.annotations.NullMarked;
