package dev.retier.volume.serve;

import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.wire.Status;

/** What a client names, or a refusal. Stateless. */
final class Named {
    private Named() {}

    /** The number of the volume of that name. */
    static int volume(Catalogue catalogue, String name) {
        return VolumeName.parse(name)
                .flatMap(catalogue::numberOf)
                .orElseThrow(() -> new Refusal(Status.WRONG_NAME, "there is no volume \"" + name + "\" here"));
    }

    /** What is known of the volume or snapshot of that number, which the client has been told by its name. */
    static Catalogue.Entry entry(Catalogue catalogue, int number) {
        Catalogue.Entry entry = catalogue.entries().get(number);
        if (entry == null) {
            throw new Refusal(Status.WRONG_NAME, "it has been deleted meanwhile");
        }
        return entry;
    }
}
