package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.report.Table;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Details;
import dev.retier.volume.wire.Listing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Volumes and snapshots as tables. Stateless. */
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

    /** One of a volume that is shown, and of its snapshots among {@code all}. */
    static Table shown(Details told, List<Listing> all) {
        Table table = new Table(
                "name", "snapshot", "bytes", "allocated_bytes", "attached_by", "epoch", "since", "read_by", "number");
        List<Object> first = cells(told.volume(), told.volume().name().value(), "");
        first.add(
                told.sinceMillis() == 0
                        ? ""
                        : Instant.ofEpochMilli(told.sinceMillis()).toString());
        first.add(String.join(", ", told.readers()));
        first.add(told.volume().number());
        table.row(first.toArray());
        all.stream().filter(each -> each.parent() == told.volume().number()).forEach(each -> {
            List<Object> cells =
                    cells(each, told.volume().name().value(), each.name().value());
            cells.addAll(List.of("", "", each.number()));
            table.row(cells.toArray());
        });
        return table;
    }

    /** A row for each of each server, a snapshot behind its volume. */
    static Table table(Map<String, List<Listing>> servers) {
        Table table = new Table("name", "snapshot", "bytes", "allocated_bytes", "attached_by", "epoch", "server");
        servers.forEach((server, all) -> {
            for (Listing volume : all) {
                if (volume.parent() == 0) {
                    row(table, cells(volume, volume.name().value(), ""), server);
                    all.stream()
                            .filter(each -> each.parent() == volume.number())
                            .forEach(each -> row(
                                    table,
                                    cells(
                                            each,
                                            volume.name().value(),
                                            each.name().value()),
                                    server));
                }
            }
        });
        return table;
    }

    private static void row(Table table, List<Object> cells, String server) {
        cells.add(server);
        table.row(cells.toArray());
    }

    private static List<Object> cells(Listing listing, String volume, String snapshot) {
        return new ArrayList<>(List.of(
                volume,
                snapshot,
                listing.bytes(),
                listing.allocated(),
                listing.writer(),
                Integer.toUnsignedString(listing.epoch())));
    }
}
