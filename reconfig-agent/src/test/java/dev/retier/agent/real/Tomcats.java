package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.config.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;

/** Debian's Tomcat with a folder of its own, as an administrator behind proxies has it. Stateless. */
final class Tomcats {
    static final Path HOME = Path.of("/usr/share/tomcat10");

    private static final String SERVER_XML = """
            <Server port="-1">
              <Service name="Catalina">
                <Connector port="@PORT@" address="@HOST@" protocol="HTTP/1.1"/>
                <Engine name="Catalina" defaultHost="localhost">
                  <Host name="localhost" appBase="webapps">
                    <Valve className="org.apache.catalina.valves.RemoteIpValve" protocolHeader="X-Forwarded-Proto"/>
                    <Context path="/shop" docBase="shop" useRelativeRedirects="false"/>
                    <Context path="" docBase="root"/>
                  </Host>
                </Engine>
              </Service>
            </Server>
            """;

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <servlet>
                <servlet-name>default</servlet-name>
                <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
              </servlet>
              <servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
            </web-app>
            """;

    private static final String GATE_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <listener><listener-class>Gate</listener-class></listener>
            </web-app>
            """;

    /** An application that is not up before a file is there, as one that fills its caches first. */
    private static final String GATE = """
            public class Gate implements jakarta.servlet.ServletContextListener {
                @Override
                public void contextInitialized(jakarta.servlet.ServletContextEvent event) {
                    while (!java.nio.file.Files.exists(java.nio.file.Path.of("@GATE@"))) {
                        java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                    }
                }
            }
            """;

    private Tomcats() {}

    /** Makes its folder: it answers {@code /static/retier-proof} and {@code /dynamic/x}, also below {@code /shop}. */
    static void prepare(Path base, HostPort address, String text) throws IOException {
        for (String name : List.of("conf", "logs", "temp", "run", "webapps/shop/static/folder")) {
            Files.createDirectories(base.resolve(name));
        }
        Files.writeString(
                base.resolve("conf/server.xml"),
                SERVER_XML.replace("@PORT@", String.valueOf(address.port())).replace("@HOST@", address.host()));
        Files.writeString(base.resolve("conf/web.xml"), WEB_XML);
        Files.writeString(base.resolve("webapps/shop/static/retier-proof"), text);
        for (String file : List.of("static/retier-proof", "dynamic/x")) {
            Path page = base.resolve("webapps/root").resolve(file);
            Files.createDirectories(page.getParent());
            Files.writeString(page, text);
        }
    }

    /** Has its root application come up once {@code gate} is there. */
    static void gate(Path base, Path gate) throws IOException {
        Path classes = Files.createDirectories(base.resolve("webapps/root/WEB-INF/classes"));
        Path source = base.resolve("temp/Gate.java");
        Files.writeString(source, GATE.replace("@GATE@", gate.toString()));
        Files.writeString(base.resolve("webapps/root/WEB-INF/web.xml"), GATE_XML);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        said,
                        said,
                        "-cp",
                        HOME + "/lib/servlet-api.jar",
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }

    /** What its start script goes by. */
    static List<String> catalina(Path base, String verb) {
        return List.of(
                "/usr/bin/env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                "CATALINA_OPTS=-Xmx64m",
                "CATALINA_BASE=" + base,
                "CATALINA_PID=" + base.resolve("run/tomcat.pid"),
                HOME + "/bin/catalina.sh",
                verb);
    }
}
