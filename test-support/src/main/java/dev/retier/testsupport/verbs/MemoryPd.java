package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;

/** A protection domain. */
final class MemoryPd extends IbvPd {
    MemoryPd(IbvContext context) throws IOException {
        super(context);
    }
}
