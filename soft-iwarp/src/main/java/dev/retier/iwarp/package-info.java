/**
 * iWARP in user space (RFC 5044, 5041, 5040, 6581, 7306) behind DiSNI's verbs API: configuration and installation.
 * May import every sub-package.
 */
@NullMarked
package dev.retier.iwarp;

import org.jspecify.annotations.NullMarked;
