#!/usr/bin/env perl
# The application of a lab node: each answer takes as much processor time as it is told, whoever else is at work. Usage:
#   app.pl PORT WORKERS MICROSECONDS
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(clock);

my ($port, $workers, $micros) = @ARGV;
my $listener = IO::Socket::INET->new(
    LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 1024, ReuseAddr => 1, Proto => 'tcp')
    or die "port $port cannot be used: $!\n";
$SIG{PIPE} = 'IGNORE';
for (2 .. $workers) {
    my $child = fork();
    die "cannot fork: $!\n" unless defined $child;
    last unless $child;
}
my $body = 'made by retier lab' . ' ' x 494;
my $answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: no-store\r\nContent-Length: "
    . length($body) . "\r\nConnection: close\r\n\r\n";
while (1) {
    my $client = $listener->accept() or next;
    my $start = clock();
    my $head = '';
    while (index($head, "\r\n\r\n") < 0) {
        my $read = sysread($client, $head, 8192, length $head);
        last if !$read || length $head > 65536;
    }
    1 while (clock() - $start) * 1e6 < $micros;
    syswrite($client, $head =~ /^HEAD / ? $answer : $answer . $body);
    close $client;
}
