/**
 * The driver around the pure stream engine: TCP sockets, the progress thread, completion queues, devices.
 * The only package with sockets and threads. May import every pure package, SLF4J and the JDK.
 */
@NullMarked
package dev.retier.iwarp.net;

import org.jspecify.annotations.NullMarked;
