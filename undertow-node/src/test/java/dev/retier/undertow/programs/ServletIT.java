package dev.retier.undertow.programs;

import java.nio.file.Path;

class ServletIT extends NodeContract {
    @Override
    Cell cell(Path folder) {
        return new Cell(folder, ServletProgram::new, ServletProgram.CONTEXT);
    }
}
