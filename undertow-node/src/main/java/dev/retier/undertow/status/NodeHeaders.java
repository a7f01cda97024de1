package dev.retier.undertow.status;

import io.undertow.util.HttpString;

/** What a node adds to each answer. */
public final class NodeHeaders {
    /** Which node the client spoke to. */
    public static final HttpString NODE = new HttpString("X-Retier-Node");
    /** Epoch of the role file in force when the request arrived. */
    public static final HttpString EPOCH = new HttpString("X-Retier-Epoch");
    /** The app node that the answer came from, when it was forwarded. */
    public static final HttpString APP = new HttpString("X-Retier-App");

    private NodeHeaders() {}
}
