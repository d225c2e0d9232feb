#!/usr/bin/env bash
# admitted_rejected.sh BLOOMERY [FOLDER]: the experiment of the University of Florence's report, beside ours.
#
# A filter is initialised from a sample of words, then a stream of 30-letter words that can be pronounced is
# analysed: how many are admitted, how many rejected, and how long it takes on one thread and on two. The report
# gives the sizes of data, sample and filter, and not the number of hashes: the best number is taken. The sample
# is part of the stream, and must be admitted whole.
set -euo pipefail
bloomery=$1 folder=${2:-$(mktemp -d)}
mkdir -p "$folder"
cd "$folder"

field() { grep -oE "\"$1\":[0-9.]+" | head -n 1 | cut -d: -f2; }

# analysed THREADS: milliseconds of the fastest of five; opening the filter is left out
analysed() {
  local round ms best=
  for round in 1 2 3 4 5; do
    ms=$("$bloomery" query sample.bank -i stream.txt --count -T "$1" --json | field wall_seconds |
      awk '{ printf "%.2f", $1 * 1000 }')
    best=$(printf '%s\n' $best "$ms" | sort -g | head -n 1)
  done
  echo "$best"
}

echo 'words     sample  bits     hashes  admitted  rejected   of others  predicted    1 thread   2 threads  speed-up'
while read -r words sample bits; do
  "$bloomery" generate words -n "$words" -q -f -o stream.txt
  head -n "$sample" stream.txt >sample.txt
  "$bloomery" build sample.txt --kind classic --bits "$bits" -q -f -o sample.bank
  "$bloomery" inspect sample.bank --json >inspect.json
  counts=$("$bloomery" query sample.bank -i stream.txt --count --json)
  admitted=$(field admitted <<<"$counts") rejected=$(field rejected <<<"$counts")
  awk -v words="$words" -v sample="$sample" -v bits="$bits" -v k="$(field hashes <inspect.json)" \
    -v predicted="$(field fpr <inspect.json)" -v admitted="$admitted" -v rejected="$rejected" \
    -v one="$(analysed 1)" -v two="$(analysed 2)" 'BEGIN {
      if (admitted + rejected != words || admitted < sample) { print "not every word of the sample was admitted"; exit 1 }
      printf "%-9d %-7d %-8d %-7d %-9d %-10d %8.2f %% %8.2f %%  %8.2f ms %8.2f ms  %.2f\n", words, sample, bits, k,
        admitted, rejected, (admitted - sample) * 100 / (words - sample), predicted * 100, one, two, one / two }'
done <<'SIZES'
10000    39    100
100000   398   1020
1000000  3976  10195
2000000  8018  20560
SIZES
echo 'In the report: 2,000,000 words in 7.67 ms on one thread, 6.56 ms on two: 1.17; 10,000 words: 1.27.'
