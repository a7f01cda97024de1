package dev.retier.system;

import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.volume.VolumeName;
import dev.retier.volume.channel.VolumeFile;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TPC-B in a database of H2, one branch.
 *
 * @param url of it
 * @param accounts how many there are
 */
record H2Bank(String url, int accounts) {
    private static final int TELLERS = 10;
    private static final int CLIENTS = 3;
    private static final int MEASURED_ACCOUNTS = 100_000;

    /** As on a volume, under {@code name}. */
    static H2Bank onVolume(String name, int accounts) {
        return new H2Bank("jdbc:h2:volume:" + name + ";LOCK_TIMEOUT=60000;TRACE_LEVEL_FILE=0", accounts);
    }

    /** Makes its tables, in which nobody has anything. */
    void make() throws SQLException {
        try (Connection database = DriverManager.getConnection(url);
                Statement sql = database.createStatement()) {
            for (String table : List.of("accounts", "tellers", "branches")) {
                sql.execute("create table " + table + "(id int primary key, balance bigint not null, filler char(80))");
            }
            sql.execute("create table history(id identity, account int, delta bigint)");
            sql.execute("insert into accounts select x, 0, '' from system_range(1, " + accounts + ")");
            sql.execute("insert into tellers select x, 0, '' from system_range(1, " + TELLERS + ")");
            sql.execute("insert into branches values (1, 0, '')");
        }
    }

    /** One client's transactions, again and again, each of which is counted once it is committed. */
    void transact(Random random, AtomicBoolean isOver, AtomicInteger committed) throws SQLException {
        try (Connection database = DriverManager.getConnection(url);
                PreparedStatement account =
                        database.prepareStatement("update accounts set balance = balance + ? where id = ?");
                PreparedStatement teller =
                        database.prepareStatement("update tellers set balance = balance + ? where id = ?");
                PreparedStatement branch =
                        database.prepareStatement("update branches set balance = balance + ? where id = ?");
                PreparedStatement history =
                        database.prepareStatement("insert into history(delta, account) values (?, ?)")) {
            database.setAutoCommit(false);
            while (!isOver.get()) {
                long delta = random.nextInt(-5000, 5001);
                int number = 1 + random.nextInt(accounts);
                change(account, delta, number);
                change(teller, delta, 1 + number % TELLERS);
                change(branch, delta, 1);
                change(history, delta, number);
                database.commit();
                committed.incrementAndGet();
            }
        }
    }

    private static void change(PreparedStatement statement, long delta, int id) throws SQLException {
        statement.setLong(1, delta);
        statement.setInt(2, id);
        if (statement.executeUpdate() != 1) {
            throw new IllegalStateException("there is no row " + id);
        }
    }

    /** Makes it, if it is not there, and runs clients: for {@code time} before what counts, too. Commits by second. */
    private double perSecond(Duration time) throws SQLException, InterruptedException, ExecutionException {
        try (Connection open = DriverManager.getConnection(url)) { // it stays open meanwhile
            try (ResultSet there = open.getMetaData().getTables(null, null, "HISTORY", null)) {
                if (!there.next()) {
                    make();
                }
            }
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicInteger committed = new AtomicInteger();
            CountDownLatch never = new CountDownLatch(1);
            try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
                List<Future<?>> ends = new ArrayList<>();
                for (int number = 0; number < CLIENTS; number++) {
                    Random random = new Random(number);
                    ends.add(threads.submit(() -> {
                        transact(random, isOver, committed);
                        return true;
                    }));
                }
                var _ = never.await(time.toNanos(), TimeUnit.NANOSECONDS);
                int before = committed.get();
                long beganNanos = System.nanoTime();
                var _ = never.await(time.toNanos(), TimeUnit.NANOSECONDS);
                double found = (committed.get() - before) / ((System.nanoTime() - beganNanos) / 1e9);
                isOver.set(true);
                for (Future<?> end : ends) {
                    end.get();
                }
                return found;
            }
        }
    }

    /**
     * Says transactions per second, for {@code bench volumes --database}: {@code MILLISECONDS file PATH}, or {@code
     * MILLISECONDS volume NAME HOST PORT SECRET-FILE}.
     */
    public static void main(String... arguments) throws Exception {
        Duration time = Duration.ofMillis(Long.parseLong(arguments[0]));
        if (arguments[1].equals("file")) {
            tell(new H2Bank("jdbc:h2:file:" + arguments[2] + ";LOCK_TIMEOUT=60000", MEASURED_ACCOUNTS), time);
        } else {
            onVolume(time, arguments);
        }
    }

    private static void onVolume(Duration time, String... arguments) throws Exception {
        InetSocketAddress server = new InetSocketAddress(arguments[3], Integer.parseInt(arguments[4]));
        SecretSource secrets = SecretSource.fromFile(Path.of(arguments[5]));
        try (VolumeClient client = VolumeClient.open(ClientConfig.of(server, secrets, Transport.IWARP));
                RemoteVolume volume = client.attach(new VolumeName(arguments[2]), false)) {
            VolumeFilePath.put(arguments[2] + ".mv.db", VolumeFile.on(volume));
            tell(onVolume(arguments[2], MEASURED_ACCOUNTS), time);
        }
    }

    private static void tell(H2Bank bank, Duration time) throws Exception {
        System.out.println("tps = " + bank.perSecond(time));
    }
}
