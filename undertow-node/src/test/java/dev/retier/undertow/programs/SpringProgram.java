package dev.retier.undertow.programs;

import dev.retier.testsupport.FreePorts;
import dev.retier.undertow.UndertowNode;
import io.undertow.Undertow;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory;
import org.springframework.boot.web.embedded.undertow.UndertowWebServer;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** A Spring Boot application on the Undertow that it embeds. */
final class SpringProgram implements Program {
    private final ServletWebServerApplicationContext context;
    private final int adminPort;

    SpringProgram(String name, UndertowNode node) throws IOException {
        adminPort = FreePorts.next();
        Map<String, Object> settings = Map.of(
                "server.address",
                "127.0.0.1",
                "server.port",
                0,
                "server.undertow.max-http-post-size",
                MAX_UPLOAD_BYTES + "B",
                "spring.main.banner-mode",
                "off",
                "name",
                name);
        context = (ServletWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
                .properties(settings)
                .registerShutdownHook(false)
                .initializers(made -> {
                    made.getBeanFactory().registerSingleton("node", node);
                    made.getBeanFactory().registerSingleton("adminPort", adminPort);
                })
                .run();
        assertEmbedsUndertow();
    }

    private void assertEmbedsUndertow() {
        if (!(context.getWebServer() instanceof UndertowWebServer)) {
            throw new IllegalStateException("it embeds " + context.getWebServer());
        }
    }

    @Override
    public int port() {
        return context.getWebServer().getPort();
    }

    @Override
    public int adminPort() {
        return adminPort;
    }

    @Override
    public void close() {
        context.close();
    }

    /** All that an application needs to be a node is {@link #asNode}. */
    @Configuration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        WebServerFactoryCustomizer<UndertowServletWebServerFactory> asNode(UndertowNode node, Integer adminPort) {
            return factory -> {
                factory.addDeploymentInfoCustomizers(deployment -> deployment.addInitialHandlerChainWrapper(node));
                factory.addBuilderCustomizers(
                        (Undertow.Builder server) -> server.addHttpListener(adminPort, "127.0.0.1", node.admin()));
            };
        }

        @Bean
        Controller controller(org.springframework.core.env.Environment environment) {
            return new Controller(environment.getRequiredProperty("name"));
        }
    }

    @RestController
    static class Controller {
        private final String name;

        Controller(String name) {
            this.name = name;
        }

        @GetMapping("/hello")
        String hello() {
            return "hello from " + name;
        }

        @PostMapping("/length")
        String length(InputStream body) throws IOException {
            return "bytes " + body.transferTo(OutputStream.nullOutputStream());
        }

        @GetMapping("/wait")
        String waiting() {
            Gate.pass();
            return "waited on " + name;
        }

        @GetMapping("/lines")
        StreamingResponseBody lines() {
            return out -> {
                for (int line = 0; line < LINES; line++) {
                    out.write(LINE.getBytes(StandardCharsets.US_ASCII));
                }
            };
        }
    }
}
