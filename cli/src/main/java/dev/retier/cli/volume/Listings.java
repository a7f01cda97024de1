package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.report.Table;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Listing;
import java.util.List;

/** Volumes and snapshots as a table. Stateless. */
final class Listings {
    private Listings() {}

    /** The volume of that name, and its snapshots. */
    static List<Listing> ofVolume(List<Listing> all, VolumeName name) {
        int number = all.stream()
                .filter(each -> each.parent() == 0 && each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new CommandFailure(ExitCode.FAILED, "there is no volume \"" + name + "\" here"))
                .number();
        return all.stream()
                .filter(each -> each.number() == number || each.parent() == number)
                .toList();
    }

    /** A row for each, a snapshot behind its volume. */
    static Table table(List<Listing> all) {
        Table table = new Table("name", "snapshot", "bytes", "allocated_bytes", "attached_by", "epoch");
        for (Listing volume : all) {
            if (volume.parent() == 0) {
                row(table, volume, volume.name().value(), "");
                all.stream()
                        .filter(each -> each.parent() == volume.number())
                        .forEach(each -> row(
                                table, each, volume.name().value(), each.name().value()));
            }
        }
        return table;
    }

    private static void row(Table table, Listing listing, String volume, String snapshot) {
        table.row(
                volume,
                snapshot,
                listing.bytes(),
                listing.allocated(),
                listing.writer(),
                Integer.toUnsignedString(listing.epoch()));
    }
}
