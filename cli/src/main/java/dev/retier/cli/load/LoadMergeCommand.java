package dev.retier.cli.load;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.report.ResultMerge;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code retier load merge}. */
@Command(
        name = "merge",
        description = "Add up the results of several generators that ran together: counts and histograms add exactly.",
        footer = {"", "Example: retier load merge one.json two.json --report page.html --fail-if 'failed>0'"})
final class LoadMergeCommand extends ResultsCommand {
    @Override
    List<NamedRun> runs(List<Path> resultFiles) {
        Map<String, List<LoadResult>> bySite = new LinkedHashMap<>();
        for (Path file : resultFiles) {
            for (LoadResult part : ResultFiles.read(file)) {
                bySite.computeIfAbsent(part.site(), _ -> new ArrayList<>()).add(part);
            }
        }
        try {
            return NamedRun.bySite(
                    bySite.values().stream().map(ResultMerge::merge).toList());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
