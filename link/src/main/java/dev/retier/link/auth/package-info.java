/**
 * Who may connect: the messages by which two nodes prove the cluster secret to each other before any address or STag
 * is revealed. Pure: nonces and bytes come in as arguments. May import {@code dev.retier.link} and the JDK's crypto.
 */
@NullMarked
package dev.retier.link.auth;

import org.jspecify.annotations.NullMarked;
