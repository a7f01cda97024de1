/**
 * Calls and messages between two nodes, as LITE makes them: records written into a ring at the other side, each
 * announced by an immediate. Who may write where and when, which call an answer belongs to, and whose turn it is to be
 * served. Pure: records and times come in as arguments, writes go out as values. May import {@code dev.retier.link}.
 */
@NullMarked
package dev.retier.fabric.calls;

import org.jspecify.annotations.NullMarked;
