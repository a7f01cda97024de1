/**
 * Servers and clients of volumes by seed: what ships, on machines, disks, networks and by clocks that are simulated. No
 * network and no files.
 */
@NullMarked
package dev.retier.volume.worlds;

import org.jspecify.annotations.NullMarked;
