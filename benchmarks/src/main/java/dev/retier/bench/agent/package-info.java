/** What an agent costs its node, and whether that grows: real agents as processes, beside web-nodes. */
@NullMarked
package dev.retier.bench.agent;

import org.jspecify.annotations.NullMarked;
