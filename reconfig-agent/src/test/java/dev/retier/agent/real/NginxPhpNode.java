package dev.retier.agent.real;

import dev.retier.agent.real.RealInstance.Options;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The nginx of {@code conf/nginx/node.conf} with a site and its application, as administrators add them. Stateless. */
final class NginxPhpNode {
    /** Locations of every kind, none of which knows of roles; the site lets nobody send much, its application does. */
    private static final String SITE = """
                server_name shop.example www.shop.example;
                listen @TLS@ ssl;
                ssl_certificate @FOLDER@/site.crt;
                ssl_certificate_key @FOLDER@/site.key;
                client_max_body_size 1k;
                error_page 404 502 /sorry.html;
                rewrite ^/former/(.*)$ /dynamic/$1;
                location /dynamic/ {
                  rewrite ^ /app.php last;
                }
                location ^~ /static/ {
                  expires 1h;
                }
                location ~ \\.php$ {
                  client_max_body_size 8m;
                  fastcgi_pass unix:@SOCKET@;
                  include /etc/nginx/fastcgi.conf;
                  fastcgi_param HTTPS $retier_https if_not_empty;
                }
                location / {
                  try_files $uri /app.php?$args;
                }

            """;

    private static final String OTHER_SITE = """
              server {
                listen @ADDRESS@;
                server_name other.example;
                return 200 "the other site of @NODE@";
              }
            """;

    private NginxPhpNode() {}

    /**
     * A node that is called as its folder is.
     *
     * @param secure where the site is reached by TLS
     * @param more lines in the server block of the site
     */
    static RealInstance of(Path folder, PhpFpm php, HostPort secure, String more) throws IOException {
        String name = String.valueOf(folder.getFileName());
        RealInstance node = RealInstance.nginx(folder, "node.conf", Options.USUAL.withText("this is " + name));
        PhpFpm.write(folder.resolve("www"), name);
        Files.writeString(folder.resolve("www/sorry.html"), name + " is sorry");
        TlsClient.writeKey(folder);
        String site = (SITE + more)
                .replace("@TLS@", secure.toString())
                .replace("@FOLDER@", folder.toString())
                .replace("@SOCKET@", php.socket().toString());
        String other = OTHER_SITE
                .replace("@ADDRESS@", node.server().address().toString())
                .replace("@NODE@", name);
        String page = "  server {\n    listen " + node.server().admin() + ";";
        Files.writeString(
                node.config(),
                Files.readString(node.config())
                        .replace("    # What an app answers", site + "    # What an app answers")
                        .replace(page, other + page));
        return node;
    }
}
