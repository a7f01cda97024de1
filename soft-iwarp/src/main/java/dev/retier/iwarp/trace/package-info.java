/**
 * Writes the bytes of connections as pcap files, for Wireshark and tshark. The TCP around them is synthesised, so that
 * neither root nor a capture is needed. May import {@code iwarp.net}'s tap interfaces and the JDK.
 */
@NullMarked
package dev.retier.iwarp.trace;

import org.jspecify.annotations.NullMarked;
