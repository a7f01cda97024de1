package dev.retier.undertow.programs;

import java.nio.file.Path;

class SpringBootIT extends NodeContract {
    @Override
    Cell cell(Path folder) {
        return new Cell(folder, SpringProgram::new, "");
    }
}
