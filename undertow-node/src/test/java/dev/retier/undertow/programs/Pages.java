package dev.retier.undertow.programs;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The pages of a program as a servlet, which blocks. */
final class Pages extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final String name;

    Pages(String name) {
        this.name = name;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getServletPath()) {
            case "/hello" -> response.getOutputStream().print("hello from " + name);
            case "/length" ->
                response.getOutputStream()
                        .print("bytes " + request.getInputStream().transferTo(OutputStream.nullOutputStream()));
            case "/wait" -> {
                Gate.pass();
                response.getOutputStream().print("waited on " + name);
            }
            case "/lines" -> {
                for (int line = 0; line < Program.LINES; line++) {
                    response.getOutputStream().write(Program.LINE.getBytes(StandardCharsets.US_ASCII));
                }
            }
            default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }
}
