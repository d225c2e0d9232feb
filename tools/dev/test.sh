# ./dev test: its parts, and how they are run and counted.

# Parts of ./dev test, in the order they run: a name, and what it does. A part is a suite of ctest
# (its folder under tests/) unless there is a function part_<name> below.
readonly parts='
  format        clang-format 14 would change nothing
  tools         folders include only earlier ones, and the check for it can fail
  unit          each folder of src/ by itself
  laws          properties that hold for every kind of filter
  golden        bytes and hashes that must not change
  differential  kernels against each other and against a model in Python
  hostile       damaged, lying and oversized files
  engines       the three jobs on the threads engine
  hadoop        the three jobs on a real Hadoop cluster, which it starts and stops
  cli           every command in an empty folder: output, status, message
  study         studies and reports: plans, runs, numbers, and the page in a headless Chromium
  interop       filters of Hadoop, Spark and Python against the classes of the originals
  docs          the shell and C++ blocks of README and docs, run
  consumer      a strange project finds the installed library
  kernels       unit, laws, golden and differential again, on every other kernel of this machine
  asan          the suites under the address and undefined-behaviour sanitisers
  tsan          the tests that use threads, under the thread sanitiser
  fuzz          the corpora of the fuzzers, replayed
  bench         the benchmarks at tiny sizes, for their answers and not for time
  python        the Python package, built as a wheel and installed
  spark         the three jobs on Spark: real executors, kills, Connect, YARN, a shipped environment'
readonly long_parts='
  fuzzing       every fuzzer for a million inputs
  tidy          clang-tidy 14 finds nothing'

passed=0 failed=0 failures=()

count() { # PART PASSED FAILED
  say "$1: $2 passed, $3 failed"
  passed=$((passed + $2)) failed=$((failed + $3))
  (($3 == 0)) || failures+=("$1")
}

# One test that is a command.
check() { # PART COMMAND...
  if "${@:2}"; then count "$1" 1 0; else count "$1" 0 1; fi
}

# Builds the given suites in a build tree and runs them; further arguments are for ctest.
suites() { # PART PRESET "SUITE..." [ARGUMENT...]
  local part=$1 preset=$2 names
  read -ra names <<<"$3"
  if build "$preset" "${names[@]/%/_tests}"; then
    run_labels "$part" "$preset" "$(IFS='|'; echo "${names[*]}")" "${@:4}"
  else
    count "$part" 0 1
  fi
}

run_labels() { # PART PRESET LABELS [ARGUMENT...]
  local report=$PWD/build/$2/$1.xml
  rm -f "$report"
  say "$1: run the tests"
  ctest --test-dir "build/$2" -L "^($3)\$" -j "$(nproc)" --output-on-failure --no-tests=error \
    --no-label-summary --output-junit "$report" "${@:4}" 2>&1 | grep -vE "$quiet" || true
  count_report "$1" "$report"
}

# What ctest says of tests that pass.
readonly quiet='^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test .* Passed |$)|^(Internal ctest|Test project|100%|Total) '

# The totals that ctest wrote. A run that wrote none failed before it could.
count_report() { # PART FILE
  local tests=0 bad=1 skipped=0
  if [[ -s $2 ]]; then
    tests=$(total tests "$2") bad=$(total failures "$2") skipped=$(total skipped "$2")
    grep -oE '[^ >]+: \w+: skipped: .*' "$2" || true
    awk -v part="$1" '/: Skipped$/ { getline; print part ": skipped: " $0 }' "$2" | sort -u
  fi
  ((skipped == 0)) || say "$1: $skipped skipped"
  count "$1" $((bad < tests ? tests - bad - skipped : 0)) "$bad"
}

total() { grep -oPm1 "\b$1=\"\K[0-9]+" "$2" | head -n 1; }

is_formatted() {
  local file status=0
  for file in $(sources); do
    clang-format-14 "$file" | cmp -s - "$file" || { echo "$file: run ./dev format"; status=1; }
  done
  return "$status"
}

part_format() {
  need clang-format-14
  check format is_formatted
}

# All kernels but the fastest, which is the one that the suites run on anyway.
part_kernels() {
  need "${test_packages[@]}"
  local suites="unit laws golden differential" kernel program runnable=()
  build dev unit_tests || { count kernels 0 1; return; }
  program=$(find build/dev/bin -name 'unit_*_test' -print -quit)
  for kernel in scalar avx2 avx512; do
    if BLOOMERY_TEST_KERNEL=$kernel "$program" --gtest_list_tests >/dev/null 2>&1; then
      runnable+=("$kernel")
    else
      say "kernels: $kernel skipped: this machine cannot run it"
    fi
  done
  for kernel in "${runnable[@]::${#runnable[@]}-1}"; do
    BLOOMERY_TEST_KERNEL=$kernel suites "kernels-$kernel" dev "$suites"
  done
}

part_asan() {
  need "${test_packages[@]}" "${clang_packages[@]}"
  suites asan asan "unit laws golden differential hostile engines"
}

part_tsan() {
  need "${test_packages[@]}" "${clang_packages[@]}"
  if build tsan thread_tests; then run_labels tsan tsan '.*' -R Thread; else count tsan 0 1; fi
}

# Runs a command, and takes the cluster of a folder down after it, whatever happens.
with_cluster() { # FOLDER COMMAND...
  trap "tools/hadoop/cluster.py down '$1'" EXIT
  "${@:2}"
  say "stop the cluster"
  tools/hadoop/cluster.py down "$1"
  trap - EXIT
}

tests_on_cluster() { # FOLDER
  say "hadoop: start a cluster"
  if tools/hadoop/cluster.py up "$1" build/hadoop/jars; then
    BLOOMERY_CLUSTER=$PWD/$1 run_labels hadoop dev hadoop -j 1
  else
    count hadoop 0 1
  fi
}

part_hadoop() {
  need "${test_packages[@]}" "${hadoop_packages[@]}" zstd
  local cluster=build/hadoop/test-cluster
  if hadoop_jars && build dev hadoop_tests; then
    with_cluster "$cluster" tests_on_cluster "$cluster"
  else
    count hadoop 0 1
  fi
}

# Each file of tests/PART is one test.
python_tests() { # PART
  local test
  for test in tests/"$1"/*_test.py; do
    say "$1: $(basename "$test" .py)"
    if (cd "tests/$1" && BLOOMERY=$OLDPWD/build/dev/bin/bloomery \
          "$OLDPWD/build/venv/bin/python" -B -m unittest -q "$(basename "$test" .py)"); then
      count "$1/$(basename "$test" .py)" 1 0
    else
      count "$1/$(basename "$test" .py)" 0 1
    fi
  done
}

part_interop() {
  need "${build_packages[@]}" "${interop_packages[@]}"
  if build dev bloomery && interop_originals; then
    check interop build/interop/venv/bin/python tests/interop/interop_test.py \
      build/dev/bin/bloomery build/interop/work build/interop/jars build/interop/classes
  else
    count interop 0 1
  fi
}

# Pictures of the pages go to build/dev/pictures.
part_study() {
  need "${test_packages[@]}" chromium
  suites study dev study
}

part_bench() {
  need "${test_packages[@]}"
  if build dev bloomery_bench bloomery_bench_input; then run_labels bench dev bench; else count bench 0 1; fi
}

part_fuzz() {
  need "${test_packages[@]}" "${clang_packages[@]}"
  suites fuzz asan fuzz
}

part_python() {
  if python_package; then python_tests python; else count python 0 1; fi
}

# With a Hadoop cluster for its YARN, which a test starts.
part_spark() {
  need "${spark_packages[@]}"
  if hadoop_jars && python_package && venv python/requirements-spark.txt; then
    with_cluster build/spark/test-cluster python_tests spark
  else
    count spark 0 1
  fi
}

part_fuzzing() { check fuzzing command_fuzz; }
part_tidy() { check tidy command_tidy; }

run_part() {
  if declare -F "part_$1" >/dev/null; then
    "part_$1"
  else
    need "${test_packages[@]}"
    suites "$1" dev "$1"
  fi
}

# Parts that mostly wait for other programs to start, and parts that keep all processors busy, in build
# trees of their own: they run at the same time, after all others.
readonly waiting_parts=' hadoop interop python spark ' busy_parts=' asan tsan fuzz fuzzing tidy '

run_parts() { # PART...
  local part waiting=() busy=() log=build/test-beside.log totals=build/test-beside.totals
  for part in "$@"; do
    case $waiting_parts$busy_parts in
      *" $part "*) [[ $waiting_parts == *" $part "* ]] && waiting+=("$part") || busy+=("$part") ;;
      *) run_part "$part" ;;
    esac
  done
  if ((${#waiting[@]} == 0 || ${#busy[@]} == 0)); then
    for part in "${waiting[@]}" "${busy[@]}"; do run_part "$part"; done
    return
  fi
  say "${waiting[*]}: beside ${busy[*]}; what they say comes at the end"
  mkdir -p build
  rm -f "$totals"
  (
    passed=0 failed=0 failures=()
    for part in "${waiting[@]}"; do run_part "$part"; done
    echo "$passed $failed ${failures[*]}" >"$totals"
  ) >"$log" 2>&1 &
  local beside=$!
  for part in "${busy[@]}"; do run_part "$part"; done
  wait "$beside" || true
  cat "$log"
  local more_passed=0 more_failed=1 more_failures="${waiting[*]}"
  [[ ! -s $totals ]] || read -r more_passed more_failed more_failures <"$totals"
  passed=$((passed + more_passed)) failed=$((failed + more_failed))
  [[ -z $more_failures ]] || failures+=("$more_failures")
}

names_of() { awk 'NF { print $1 }' <<<"$1"; }

command_test() {
  local chosen=("$@") part
  if [[ ${1-} == all ]]; then
    (($# == 1)) || refuse "test all: takes no $2"
    export BLOOMERY_TEST_LONG=1
    chosen=($(names_of "$parts$long_parts"))
  elif (($# == 0)); then
    chosen=($(names_of "$parts"))
  fi
  for part in "${chosen[@]}"; do
    names_of "$parts$long_parts" | grep -qx -- "$part" ||
      refuse "test: no part $part"
  done
  run_parts "${chosen[@]}"
  ((failed == 0)) || say "failed: ${failures[*]}"
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
