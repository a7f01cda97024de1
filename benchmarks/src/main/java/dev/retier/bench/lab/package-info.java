/** Real httpd nodes in a lab on this machine: every rigid split, and the agents in charge. */
@NullMarked
package dev.retier.bench.lab;

import org.jspecify.annotations.NullMarked;
