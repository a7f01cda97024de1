#!/usr/bin/env python3
"""The World Cup samples of this folder, and what the official tools print for such files: a second program, which
shares no code with retier's reader.

  worldcup.py make NAME          writes NAME.log.gz and NAME.mappings.gz, always the same
  worldcup.py checklog FILE.gz   as the official checklog
  worldcup.py recreate FILE.gz MAPPINGS.gz   as the official recreate
"""
import gzip, random, struct, sys, time

RECORD = struct.Struct(">IIIIBBBB")
NO_SIZE = 0xFFFFFFFF
METHODS = "GET HEAD POST PUT DELETE TRACE OPTIONS CONNECT OTHER".split()
VERSIONS = ["HTTP/0.9", "HTTP/1.0", "HTTP/1.1", "HTTP/X.X"]
CODES = ("100 101 200 201 202 203 204 205 206 300 301 302 303 304 305 400 401 402 403 404 405 406 407 408 409 410 411"
         " 412 413 414 415 500 501 502 503 504 505 -").split()


def records(name):
    data = gzip.open(name).read()
    return [RECORD.unpack_from(data, at) for at in range(0, len(data) - 19, 20)]


def make(name):
    rng, stamp, rows = random.Random(1998), 893_971_817, []
    urls = ["/images/%d.gif" % i if i % 3 else "/page/%d.html" % i for i in range(118)] + ["/cgi/search.pl?q=1", "/a b"]
    for i in range(1000):
        stamp += 68 if i == 300 else 78 if i == 700 else rng.choice((0, 0, 0, 0, 1, 1, 2, 5))
        shown = min(int(rng.paretovariate(0.8)) - 1, 119)
        status = rng.choices((66, 130, 77, 141, 83), (60, 25, 8, 5, 2))[0]
        size = rng.choice((0, NO_SIZE)) if status in (77, 141) else 300 if status == 83 else 200 + 1237 * shown % 60_000
        kind = 6 if shown == 118 else 12 if shown == 119 else 1 if shown % 3 else 0
        method = 1 if i % 97 == 5 else 2 if i == 500 else 0
        rows.append(RECORD.pack(stamp, int(rng.paretovariate(0.5)) % 3000, shown, size, method, status, kind,
                                rng.choice((0, 32, 33, 64, 97))))
    for end, text in ((".log.gz", b"".join(rows)),
                      (".mappings.gz", "".join("%10d %s\n" % (i, url) for i, url in enumerate(urls)).encode())):
        with open(name + end, "wb") as file, gzip.GzipFile("", "wb", 6, file, 0) as packed:
            packed.write(text)


def checklog(rows):
    stamps, clients, objects, sizes, _, _, _, servers = zip(*rows)
    known = [size for size in sizes if size != NO_SIZE]
    used = sorted(set(servers))
    for label, value in (("Total Requests", len(rows)), ("Total Bytes", sum(known)),
                         ("Mean Transfer Size", "%f" % (sum(known) / len(rows))),
                         ("Min Client ID", min(clients)), ("Max Client ID", max(clients)),
                         ("Min Object ID", min(objects)), ("Max Object ID", max(objects)),
                         ("Min Size", min(known)), ("Max Size", max(known)), ("Min Time", min(stamps)),
                         ("Max Time", max(stamps)), ("Start Time", stamps[0]), ("Finish Time", stamps[-1]),
                         ("Out of Order", sum(b < a for a, b in zip(stamps, stamps[1:]))),
                         ("Unique Servers", len(used))):
        print("%18s: %s" % (label, value))
    for server in used:
        print("Server %d: %d" % (server, servers.count(server)))
    print("Check:\nTotal Requests: %d\nUnique Servers: %d" % (len(rows), len(used)))


def recreate(rows, mappings):
    sys.stdout.reconfigure(encoding="latin-1")
    words = (line.split() for line in gzip.open(mappings))
    urls = {int(word[0]): word[1].decode("latin-1") for word in words}
    for stamp, client, shown, size, method, status, _, _ in rows:
        print('%d - - [%s +0000] "%s %s %s" %s %s' % (
            client, time.strftime("%d/%b/%Y:%H:%M:%S", time.gmtime(stamp)), METHODS[method], urls[shown],
            VERSIONS[status >> 6], CODES[status & 63], "-" if size == NO_SIZE else size))


{"make": make, "checklog": lambda name: checklog(records(name)),
 "recreate": lambda name, mappings: recreate(records(name), mappings)}[sys.argv[1]](*sys.argv[2:])
