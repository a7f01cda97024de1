/**
 * DiSNI's verbs in memory, for unit tests of what drives them: no socket, no thread, no clock. Several nodes live in
 * one {@link dev.retier.testsupport.verbs.VerbsWorld}, which delivers at once, or by hand when it is told to hold.
 *
 * <pre>{@code
 * VerbsWorld world = new VerbsWorld();
 * Providers.install(world.provider());          // DiSNI uses it from now on; install it in each test
 * ... open a keeper, a link, a queue pair ...   // as over any provider
 * world.hold(Kind.READ);                        // from now on reads wait
 * ... read; await with a deadline; give the buffer back ...
 * world.release();                              // the late answer lands
 * world.holdCompletions(true);                  // work is done, but its completions wait
 * world.releaseCompletions(true);               // in reverse order
 * world.lose(pair);                             // both ends are told: receives flushed, DISCONNECTED
 * world.cut(pair);                              // nobody is told: what is sent from now on is lost
 * world.fail("createQP", 1);                    // the next call throws IOException, or what is named
 * world.limitCompletionQueue(100);              // createCQ with more throws
 * world.sourceAddress("127.0.0.9");             // of identifiers made from now on
 * world.live()                                  // open objects by kind, to find what is never freed
 * }</pre>
 *
 * <p>Calls that wait (events of either kind) return at once without one, unless {@link
 * dev.retier.testsupport.verbs.VerbsWorld#letWait} lets them wait in real time for drivers with threads. Keys, bounds
 * and rights are checked as a device does; the pair's domain must be the region's. May import DiSNI.
 */
@NullMarked
package dev.retier.testsupport.verbs;

import org.jspecify.annotations.NullMarked;
