# A server of unknown kind for tests: perl other-server.pl PORT FOLDER MODE. It writes FOLDER/pid, notes each signal that it
# catches in FOLDER/signals, and answers 200, or 500 while the FOLDER/retier.conf that it has read says bad.
#   MODE usual: catches HUP and USR1, and reads its file again
#        ill:   and answers 500 each second time
#        crash: ends before it answers
#        slow:  does not listen before FOLDER/go is there
# /hold is never answered; /counts tells how many of these there are.
use strict;
use warnings;
use IO::Socket::INET;

my ($port, $folder, $mode) = @ARGV;
my ($content, @held) = ('');

sub note { my ($file, $text) = @_; open(my $out, '>>', "$folder/$file") or die; print $out "$text\n"; close $out; }
sub load { local $/; open(my $in, '<', "$folder/retier.conf") or return; $content = <$in>; close $in; }
sub answer {
    my ($client, $status, $body) = @_;
    print $client "HTTP/1.1 $status X\r\nContent-Length: " . length($body) . "\r\nConnection: close\r\n\r\n$body";
}

for my $signal ('HUP', 'USR1') { $SIG{$signal} = sub { note('signals', $signal); load(); }; }
load();
open(my $pid, '>', "$folder/pid") or die;
print $pid "$$\n";
close $pid;
while ($mode eq 'slow' && !-e "$folder/go") { select(undef, undef, undef, 0.02); }
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1) or die;
if ($mode eq 'crash') { select(undef, undef, undef, 0.2); exit 1; }
while (1) {
    my $client = $listener->accept() or next;
    my $line = <$client> // next;
    while (defined(my $header = <$client>)) { last if $header =~ /^\r?\n$/; }
    if ($line =~ m{^GET /hold}) { push @held, $client; next; }
    if ($line =~ m{^GET /counts}) { answer($client, 200, '{"in_flight": ' . @held . '}'); }
    else {
        answer($client, $content =~ /bad/ ? 500 : 200, 'hello');
        $content = $content =~ /bad/ ? '' : 'bad' if $mode eq 'ill';
    }
    close $client;
}
