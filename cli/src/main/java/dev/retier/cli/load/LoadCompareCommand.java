package dev.retier.cli.load;

import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code retier load compare}. */
@Command(
        name = "compare",
        description = "Show the results of two or more runs side by side, each named after its file.",
        footer = {"", "Example: retier load compare rigid.json reconfigured.json --report page.html"})
final class LoadCompareCommand extends ResultsCommand {
    @Override
    List<NamedRun> runs(List<Path> resultFiles) {
        List<NamedRun> runs = new ArrayList<>();
        for (Path file : resultFiles) {
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
            List<LoadResult> inFile = ResultFiles.read(file);
            inFile.forEach(run -> runs.add(new NamedRun(inFile.size() == 1 ? name : name + " " + run.site(), run)));
        }
        return runs;
    }
}
