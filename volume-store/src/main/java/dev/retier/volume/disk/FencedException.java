package dev.retier.volume.disk;

import dev.retier.volume.pool.Catalogue;
import java.io.IOException;

/** A change comes by an attachment that somebody has taken since: it is not in the journal, and never will be. */
public final class FencedException extends IOException {
    private static final long serialVersionUID = 1;

    FencedException(Catalogue.Entry volume, int epoch) {
        super(volume.name() + " has been attached with epoch " + Integer.toUnsignedString(volume.epoch())
                + " since, and this comes by epoch " + Integer.toUnsignedString(epoch) + ": attach it anew");
    }
}
