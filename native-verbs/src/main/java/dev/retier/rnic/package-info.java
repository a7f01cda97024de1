/**
 * DiSNI's verbs over libibverbs and librdmacm by {@code java.lang.foreign}: RNICs, Soft-RoCE and siw, with rdma-core as
 * distributions package it. A program chooses it by the name {@code native}. May import DiSNI and {@code verbs}.
 */
@NullMarked
package dev.retier.rnic;

import org.jspecify.annotations.NullMarked;
