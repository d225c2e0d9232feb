#!/usr/bin/env bash
# demo.sh BLOOMERY FOLDER [FLAG...]: the main job, from a table to a verified bank, and the figures of the University of Pisa's
# report on the same job beside ours.
set -euo pipefail
bloomery=$1 folder=$2
shift 2
mkdir -p "$folder"
cd "$folder"

run() {
  printf '\n$ bloomery'
  printf ' %q' "$@"
  echo
  "$bloomery" "$@"
}

# rating, n, m, measured rate on Hadoop, measured rate on Spark
cat >report.csv <<'CSV'
1,2546,24404,0.0097,0.0101
2,6623,63482,0.0101,0.0105
3,17937,171928,0.0101,0.0101
4,43912,420900,0.0102,0.0101
5,103292,990060,0.0101,0.0101
6,220871,2117062,0.0100,0.0101
7,373321,3578304,0.0102,0.0101
8,355416,3406684,0.0100,0.0101
9,113980,1092505,0.0102,0.0100
10,16286,156103,0.0101,0.0100
CSV

echo 'One filter for every rounded rating, over a table like title.ratings.tsv with the group counts of the report.'
run generate ratings -f -o ratings.tsv
run build ratings.tsv --key tconst --group 'round(averageRating)' -p 1% --kind classic -f -o ratings.bank "$@"
run verify ratings.bank ratings.tsv "$@"
run query ratings.bank "$(sed -n 2p ratings.tsv | cut -f1)" tt0000000000 || true

"$bloomery" inspect ratings.bank --format csv >inspect.csv 2>/dev/null
"$bloomery" verify ratings.bank ratings.tsv --format csv >verify.csv 2>/dev/null
printf '\nThe same job in the report, on Hadoop and on Spark:\n\n'
awk -F, '
  FNR == 1 && FILENAME != "report.csv" { for (i = 1; i <= NF; ++i) column[FILENAME, $i] = i; next }
  FILENAME == "inspect.csv" { group = $column[FILENAME, "group"]; n[group] = $column[FILENAME, "keys"]
                              m[group] = $column[FILENAME, "bits"]; k[group] = $column[FILENAME, "hashes"]; next }
  FILENAME == "verify.csv" { rate[$column[FILENAME, "group"]] = $column[FILENAME, "rate"]; next }
  !header++ { printf "rating        n          m  k   Hadoop   Spark    ours\n" }
  { same = n[$1] == $2 && m[$1] == $3 && k[$1] == 7
    differ += !same
    printf "%6s  %7d  %9d  %d   %.4f  %.4f  %.4f%s\n", $1, n[$1], m[$1], k[$1], $4, $5, rate[$1], same ? "" : "  (report: n " $2 ", m " $3 ", k 7)" }
  END { printf "\n%s\n", differ ? differ " groups differ in n, m or k" : "n, m and k are the report'"'"'s in every group; the rates differ by chance, as theirs do from each other." }
' inspect.csv verify.csv report.csv

# The same as a page, with how the bytes between tasks depend on their number.
"$bloomery" build ratings.tsv --key tconst --group 'round(averageRating)' -p 1% --kind classic -f -o ratings.bank --json 2>/dev/null >runs.json
"$bloomery" verify ratings.bank ratings.tsv --json 2>/dev/null >>runs.json
cat >demo.toml <<'TOML'
title = "bloomery demo"
input = "ratings.tsv"
key = "tconst"
group = "round(averageRating)"
verify = false
[base]
kind = "classic"
[[sweep]]
repetitions = 3
[sweep.cross]
tasks = [5, 9, 13]
strategy = ["indexes", "filters", "auto"]
[[sweep]]
repetitions = 3
vary.threads = [1, 2]
TOML
rm -f demo.jsonl
run study demo.toml -o demo.jsonl -q
run report demo.jsonl runs.json -f -o report.html
printf '\nThe report is %s: open it in a browser.\n' "$PWD/report.html"
