/**
 * TLS 1.3 (RFC 8446) between TCP and MPA: bytes of TCP in, bytes of MPA out, and the other way round, by the JDK's
 * engine. No sockets, threads or files. May import the JDK,
 * {@code verbs} and JSpecify only.
 */
@NullMarked
package dev.retier.iwarp.tls;

import org.jspecify.annotations.NullMarked;
