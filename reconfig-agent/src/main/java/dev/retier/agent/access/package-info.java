/**
 * Who may ask an agent what: roles, tokens, names of certificates, and how often one may be wrong. Pure: text, bytes
 * and times in, values out. May import {@code dev.retier.agent.config}.
 */
@NullMarked
package dev.retier.agent.access;

import org.jspecify.annotations.NullMarked;
