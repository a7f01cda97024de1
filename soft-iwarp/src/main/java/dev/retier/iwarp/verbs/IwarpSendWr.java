package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvSendWR;

/** A send work request with what DiSNI's own cannot say: masks of atomics, and an STag of the peer to invalidate. */
public final class IwarpSendWr extends IbvSendWR {
    private boolean masked;
    private long compareMask = -1;
    private long dataMask = -1;
    private int invalidateKey;

    /**
     * Masks an atomic (RFC 7306 section 5.1).
     *
     * @param compare compare-and-swap: the bits to compare; ignored for a fetch-add
     * @param data compare-and-swap: the bits to swap; fetch-add: the top bit of each field
     */
    public void setMasks(long compare, long data) {
        masked = true;
        compareMask = compare;
        dataMask = data;
    }

    /** Makes a Send revoke this region of the peer. It must be the peer's for this connection alone. */
    public void setInvalidateKey(int remoteKey) {
        invalidateKey = remoteKey;
    }

    boolean masked() {
        return masked;
    }

    long compareMask() {
        return compareMask;
    }

    long dataMask() {
        return dataMask;
    }

    int invalidateKey() {
        return invalidateKey;
    }
}
