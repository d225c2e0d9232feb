# What commands of ./dev need and do not find: Debian packages, and into build/ what comes from PyPI, Maven and npm. Versions
# are pinned, by Debian 12 or by the lists named here.

readonly build_packages=(g++ cmake ninja-build pkg-config libfmt-dev libxxhash-dev libzstd-dev
                         libisal-dev nlohmann-json3-dev libcli11-dev libboost1.81-dev
                         libtomlplusplus-dev libmd-dev)
readonly test_packages=("${build_packages[@]}" libgtest-dev librapidcheck-dev
                        zlib1g-dev python3 groff-base locales)
readonly interop_packages=(openjdk-17-jdk-headless maven python3-venv)
readonly hadoop_packages=(openjdk-17-jdk-headless maven python3)
readonly python_packages=(python3-venv python3-dev)
readonly spark_packages=(openjdk-17-jre-headless)
readonly clang_packages=(clang-14 libclang-rt-14-dev llvm-14)

# need PACKAGE...: installs those that are missing.
need() {
  local missing=() package
  if ! command -v apt-get >/dev/null; then
    say "not a Debian system: taking for granted what these packages hold: $*"
    return
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "install ${missing[*]}"
  local root=()
  ((EUID == 0)) || root=(sudo)
  mkdir -p build
  (
    flock 9  # another part may be installing, too
    "${root[@]}" apt-get update -qq 9>&-
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 9>&-
  ) 9>build/installing.lock
}

# What draws the charts of reports, in build/charts: again only when the list of it or its script changes. Without npm, and
# where it cannot fetch, reports have tables only, and say so.
charts() {
  local list=(cli/report/package-lock.json tools/charts.sh) to=build/charts
  cmp -s <(cat "${list[@]}") "$to/fetched" && return 0
  command -v npm >/dev/null || need npm || true
  mkdir -p "$to"
  (
    flock 9  # another part may be fetching, too
    cmp -s <(cat "${list[@]}") "$to/fetched" && exit 0
    say "fetch Vega-Lite from npm into $to"
    if tools/charts.sh "$to" >"$to/charts.log" 2>&1; then
      cat "${list[@]}" >"$to/fetched"
    else
      cat "$to/charts.log"
      say "npm could not fetch: reports will have tables and no charts"
    fi
  ) 9>"$to/fetching.lock"
}

# The Python that the packages of need() belong to, where there is one.
base_python() { if [[ -x /usr/bin/python3 ]]; then echo /usr/bin/python3; else echo python3; fi; }

# venv REQUIREMENTS...: build/venv with the pinned versions of these files.
venv() {
  need "${python_packages[@]}"
  local file mark
  [[ -x build/venv/bin/python ]] || "$(base_python)" -m venv build/venv || return 1
  for file in "$@"; do
    mark=build/venv/installed-$(basename "$file")
    cmp -s "$file" "$mark" && continue
    say "install what $file names into build/venv"
    PIP_DISABLE_PIP_VERSION_CHECK=1 build/venv/bin/pip install -q -r "$file" 2>&1 |
      { grep -v DEPRECATION || true; } || return 1
    cp "$file" "$mark"
  done
}

# The jars that make a Hadoop, in build/hadoop/jars. Again only when the list of them changed.
hadoop_jars() {
  need "${hadoop_packages[@]}"
  local jars=build/hadoop/jars pom=tools/hadoop/pom.xml
  cmp -s "$pom" build/hadoop/pom.xml && return 0
  say "fetch Hadoop from Maven into $jars"
  rm -rf "$jars"
  mkdir -p "$jars"
  mvn --quiet --batch-mode --file "$pom" dependency:copy-dependencies -DincludeScope=runtime \
    -DoutputDirectory="$PWD/$jars" || return 1
  cp "$pom" build/hadoop/pom.xml
}

# What the originals are made of, in build/interop: jars, our Java program, Python packages. Again only
# when the lists of them change.
interop_originals() {
  local from=tests/interop to=build/interop
  mkdir -p "$to"
  if ! cmp -s "$from/jvm/pom.xml" "$to/pom.xml"; then
    say "fetch the originals' jars from Maven into $to/jars"
    rm -rf "$to/jars"
    mvn --quiet --batch-mode --file "$from/jvm/pom.xml" dependency:copy-dependencies \
      -DoutputDirectory="$PWD/$to/jars" || return 1
    cp "$from/jvm/pom.xml" "$to/pom.xml"
  fi
  if ! cmp -s "$from/requirements.txt" "$to/requirements.txt"; then
    say "fetch the originals' Python packages into $to/venv"
    python3 -m venv --clear "$to/venv" &&
      "$to/venv/bin/pip" install --quiet --disable-pip-version-check -r "$from/requirements.txt" ||
      return 1
    cp "$from/requirements.txt" "$to/requirements.txt"
  fi
  javac -d "$to/classes" -cp "$to/jars/*" "$from/jvm/src/Interop.java"
}
