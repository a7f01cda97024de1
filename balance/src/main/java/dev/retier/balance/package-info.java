/**
 * Which app a proxy sends a request to, and the bytes by which its agent tells it how busy the apps are. Pure: no
 * files, threads or clocks; bytes, times and random numbers come as arguments. May import the JDK and JSpecify only.
 */
@NullMarked
package dev.retier.balance;

import org.jspecify.annotations.NullMarked;
