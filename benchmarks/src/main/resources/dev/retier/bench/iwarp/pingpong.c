/* Half a round trip of 4 bytes over loopback TCP, both ends polling, in nanoseconds: pingpong ROUND-TRIPS */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long trips;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void receive(int fd) {
    char message[4];
    size_t have = 0;
    for (int empty = 0; have < sizeof message;) {
        ssize_t count = recv(fd, message + have, sizeof message - have, MSG_DONTWAIT);
        if (count > 0) {
            have += (size_t) count;
        } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
            fail("recv");
        } else if (++empty > 100) {
            sched_yield();
        }
    }
}

static void give(int fd) {
    if (send(fd, "ping", 4, MSG_NOSIGNAL) != 4) {
        fail("send");
    }
}

static void *serve(void *argument) {
    int fd = *(int *) argument;
    for (long i = 0; i < 2 * trips; i++) {
        receive(fd);
        give(fd);
    }
    return NULL;
}

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int on = 1;
    pthread_t thread;
    struct timespec began, ended;
    trips = count > 1 ? atol(words[1]) : 100000;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *) &address, length) || listen(listener, 1)
            || getsockname(listener, (struct sockaddr *) &address, &length)) {
        fail("listen");
    }
    int client = socket(AF_INET, SOCK_STREAM, 0);
    if (client < 0 || connect(client, (struct sockaddr *) &address, length)) {
        fail("connect");
    }
    int server = accept(listener, NULL, NULL);
    if (server < 0 || setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)
            || setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)
            || pthread_create(&thread, NULL, serve, &server)) {
        fail("accept");
    }
    for (long i = 0; i < 2 * trips; i++) {
        if (i == trips) { /* the first half lets both ends get going */
            clock_gettime(CLOCK_MONOTONIC, &began);
        }
        give(client);
        receive(client);
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    pthread_join(thread, NULL);
    printf("%.1f\n", ((ended.tv_sec - began.tv_sec) * 1e9 + (ended.tv_nsec - began.tv_nsec)) / trips / 2);
    return 0;
}
