/**
 * What an operator may say about a cluster, as values with their defaults, and the parser of the YAML that says it.
 * Pure: text in, values or problems out, and the digest of what all must agree on. May import
 * values of {@code dev.retier.state} and {@code dev.retier.link}, and the YAML tokenizer.
 */
@NullMarked
package dev.retier.agent.config;

import org.jspecify.annotations.NullMarked;
