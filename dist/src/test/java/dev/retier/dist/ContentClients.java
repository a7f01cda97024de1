package dev.retier.dist;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Clients of four machines and of the edge before them, each with a connection of its own, which compare what they are
 * answered with what they ought to be. Told at the end: a line for each, {@code client,right,wrong,failed}; wrong is
 * what says that it is right and is not.
 */
final class ContentClients {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MAX_TOLD = 20;

    /** One client. */
    private record Client(
            String base, String host, String path, String expected, boolean keeps, int upload, int pause) {}

    private ContentClients() {}

    public static void main(String... arguments) throws GeneralSecurityException, InterruptedException {
        Path stop = Path.of(arguments[0]);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {new Trusting()}, null);
        List<Thread> threads = new ArrayList<>();
        for (Client client : clients()) {
            threads.add(Thread.ofPlatform().start(() -> run(client, tls, stop)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static List<Client> clients() {
        String edge = "http://10.88.0.20:8000";
        String shop = "shop.example";
        List<Client> clients = new ArrayList<>(List.of(
                new Client(edge, shop, "/app.php", "the shop of ", true, 0, 20),
                new Client(edge, shop, "/app.php", "the shop of ", false, 0, 20),
                new Client(edge, "www.shop.example", "/page.html", "the shop, static", true, 0, 20),
                new Client(edge, shop, "/app.php", "has read 200000 bytes", true, 200_000, 50),
                new Client(edge, shop, "/slow.php", "the last chunk", true, 0, 50)));
        for (int node = 1; node <= 4; node++) {
            String address = "10.88.0.1" + node;
            clients.add(new Client("http://" + address, shop, "/app.php", " in the clear", false, 0, 30));
            clients.add(new Client("http://" + address, shop, "/app.php", " in the clear", true, 0, 30));
            clients.add(new Client("https://" + address, shop, "/app.php", " by TLS", true, 0, 30));
            clients.add(new Client(
                    "http://" + address, "other.example", "/page.html", "Page of web-" + node, false, 0, 50));
        }
        return clients;
    }

    private static void run(Client client, SSLContext tls, Path stop) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(client.base + client.path))
                .timeout(PATIENCE)
                .header("Host", client.host);
        if (!client.keeps) {
            builder.header("Connection", "close");
        }
        if (client.upload > 0) {
            builder.POST(HttpRequest.BodyPublishers.ofByteArray(new byte[client.upload]));
        }
        HttpRequest request = builder.build();
        int right = 0;
        int wrong = 0;
        int failed = 0;
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .connectTimeout(PATIENCE)
                .build()) {
            while (!Files.exists(stop)) {
                try {
                    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                    boolean isAnswer = response.statusCode() == 200;
                    if (isAnswer && response.body().contains(client.expected)) {
                        right++;
                    } else if ((isAnswer ? wrong++ : failed++) < MAX_TOLD) {
                        System.err.println(client + ": " + response.statusCode() + " "
                                + response.body().strip());
                    }
                } catch (IOException e) {
                    if (failed++ < MAX_TOLD) {
                        System.err.println(client + ": " + e);
                    }
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(client.pause)); // so often it asks
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        System.out.println(String.join(
                ",",
                client.base + client.path + " of " + client.host,
                String.valueOf(right),
                String.valueOf(wrong),
                String.valueOf(failed)));
    }

    /** The machines have signed their certificates themselves. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
