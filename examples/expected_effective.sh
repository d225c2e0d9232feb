#!/usr/bin/env bash
# expected_effective.sh BLOOMERY [FOLDER]: the experiment of the FHNW's note on Bloom filters, beside ours.
#
# Filters with Murmur3 of the sizes the note gives, which hold 58,000 words, are asked about 1.2 million others:
# the effective rate stands beside the expected one.
set -euo pipefail
bloomery=$1 folder=${2:-$(mktemp -d)}
mkdir -p "$folder"
cd "$folder"

field() { grep -oE "\"$1\":[0-9.]+" | head -n 1 | cut -d: -f2; }

readonly keys=58000 others=1200000
"$bloomery" generate words -n $((keys + others)) --length 12 -q -f -o all.txt
head -n "$keys" all.txt >words.txt
tail -n "$others" all.txt >others.txt

echo 'bits      hashes   expected   effective in the note   effective here'
while read -r bits hashes expected noted; do
  "$bloomery" build words.txt --kind classic --hash murmur3 --bits "$bits" -k "$hashes" -q -f -o words.bank
  admitted=$("$bloomery" query words.bank -i others.txt --count --json | field admitted)
  awk -v bits="$bits" -v k="$hashes" -v expected="$expected" -v noted="$noted" \
    -v ours="$(awk "BEGIN { print $admitted / $others }")" 'BEGIN {
      printf "%-9d %-7d %9.2f %% %17.2f %% %18.2f %%\n", bits, k, expected * 100, noted * 100, ours * 100 }'
done <<'FILTERS'
555888 7 0.01 0.0104
362329 5 0.05 0.0504
278494 4 0.1  0.1014
FILTERS
