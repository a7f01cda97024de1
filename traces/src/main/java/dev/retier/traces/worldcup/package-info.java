/** The binary format of the World Cup 98 logs: reading, official listings, requests made of records. Pure. */
@NullMarked
package dev.retier.traces.worldcup;

import org.jspecify.annotations.NullMarked;
