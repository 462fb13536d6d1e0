# A list of words, and hashes of some of them, for john.
open(my $words, '>', 'words') or die;
print $words "word$_\n" for 1..600;
my @alphabet = ('.', '/', 0..9, 'A'..'Z', 'a'..'z');
sub salt { my ($n, $length) = @_; join '', map { $alphabet[($n * 7 + $_ * 11) % 64] } 1..$length }
my %kinds = (bcrypt => [2, sub { '$2a$05$' . salt($_[0], 21) . 'e' }], descrypt => [200, sub { salt($_[0], 2) }],
             md5crypt => [20, sub { '$1$' . salt($_[0], 8) }]);
for my $kind (sort keys %kinds) {
  my ($count, $salt) = @{$kinds{$kind}};
  open(my $file, '>', $kind) or die;
  for my $n (1..$count) {
    my $hash = crypt('word' . ($n * 37 % 600 + 1), $salt->($n)) or die "$kind: crypt cannot";
    print $file "user$n:$hash\n";
  }
}
