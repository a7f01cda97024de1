package dev.retier.traces;

/** Which requests of a recorded trace count as dynamic; the same object always falls on the same side. */
public sealed interface ClassRule permits ClassRule.AsLogged, ClassRule.Share, ShareCounter {
    /** By what the log says or the URL looks like. */
    ClassRule AS_LOGGED = new AsLogged();

    /**
     * The class of a request.
     *
     * @param object number of the object asked for
     * @param looksDynamic what the log says of it
     */
    RequestClass classOf(long object, boolean looksDynamic);

    /** By what the log says. */
    record AsLogged() implements ClassRule {
        @Override
        public RequestClass classOf(long object, boolean looksDynamic) {
            return looksDynamic ? RequestClass.DYNAMIC : RequestClass.STATIC;
        }
    }

    /**
     * By a hash of the object.
     *
     * @param objects share of the objects that is dynamic, 0..1; {@link ShareCounter} finds the one that gives a wanted
     *     share of the requests
     */
    record Share(double objects) implements ClassRule {
        /** Checks the range. */
        public Share {
            if (!(objects >= 0 && objects <= 1)) {
                throw new IllegalArgumentException("dynamic share " + objects + " is not within 0..1");
            }
        }

        @Override
        public RequestClass classOf(long object, boolean looksDynamic) {
            return UnitHash.of(object) < objects ? RequestClass.DYNAMIC : RequestClass.STATIC;
        }
    }
}
