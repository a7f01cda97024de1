package dev.retier.undertow.programs;

import java.nio.file.Path;

class PlainUndertowIT extends NodeContract {
    @Override
    Cell cell(Path folder) {
        return new Cell(folder, PlainProgram::new, "");
    }
}
