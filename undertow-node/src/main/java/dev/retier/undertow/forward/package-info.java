/** What a proxy does with the requests of clients. May import role, status, upstream, Undertow. */
@NullMarked
package dev.retier.undertow.forward;

import org.jspecify.annotations.NullMarked;
