#!/usr/bin/env bash
# Installs bloomery into an empty folder and builds a stranger's project against it.
#
# Usage: run.sh BUILD SOURCE WORK installed|pkgconfig|subdirectory|contents
#
# The prefix is not the one bloomery was configured for, so a path of the build that slips into
# the installed files breaks the project.
set -euo pipefail
build=$1 source=$2 way=$4
work=$3/$way
here=$(cd "$(dirname "$0")" && pwd)
prefix=$work/prefix
cxx=${CXX:-g++}

rm -rf "$work"
mkdir -p "$work"
cd "$work"

install_bloomery() {
  cmake --install "$build" --prefix "$prefix" >install.log
  libdir=$(dirname "$(find "$prefix" -name libbloomery.a)")
}

build_project() {
  cmake -G Ninja -S "$here" -B project -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
    -DCMAKE_CXX_COMPILER="$cxx" "$@"
  cmake --build project --target with_bloomery with_static with_shared
  for program in project/with_{bloomery,static,shared}; do "$program" stranger.bank; done
}

# Fails, with $1 as the reason, when $2 is not empty.
require_none() {
  [[ -z $2 ]] || { echo "$1:"; echo "$2"; exit 1; }
}

case $way in
  installed)
    install_bloomery
    build_project -DCMAKE_PREFIX_PATH="$prefix"
    ;;
  subdirectory)
    build_project -DBLOOMERY_SOURCE="$source"
    ;;
  pkgconfig)
    install_bloomery
    export PKG_CONFIG_PATH=$libdir/pkgconfig
    read -ra shared_flags <<<"$(pkg-config --cflags --libs bloomery)"
    read -ra cflags <<<"$(pkg-config --cflags bloomery)"
    "$cxx" -std=c++20 "$here/main.cpp" -o with_shared "${shared_flags[@]}"
    LD_LIBRARY_PATH=$libdir ./with_shared stranger.bank
    read -ra private_libs <<<"$(pkg-config --static --libs-only-l bloomery | sed 's/-lbloomery//')"
    "$cxx" -std=c++20 "$here/main.cpp" -o with_static "${cflags[@]}" "$libdir/libbloomery.a" \
      "${private_libs[@]}" -pthread
    ./with_static stranger.bank
    pkg-config --modversion bloomery
    ;;
  contents)
    install_bloomery
    # fmt, xxhash and nlohmann-json are used inside and must not show outside.
    require_none "installed files name fmt, xxhash or nlohmann-json" \
      "$(grep -rniE 'fmt|xxhash|nlohmann' "$prefix" --include='*.cmake' --include='*.pc' --include='*.h')"
    require_none "the shared library needs fmt or xxhash" \
      "$(objdump -p "$libdir/libbloomery.so" | grep -E 'NEEDED.*(fmt|xxhash)')"
    require_none "the shared library exports symbols that are not bloomery's" \
      "$(nm -DC --defined-only "$libdir/libbloomery.so" |
        grep -vE ' [A-Za-z] ((typeinfo|typeinfo name|vtable) for )?bloomery::')"
    # Only fmt could print, and nothing of it that does is called: so it shows that this finds it.
    calls=$(nm -Au "$libdir/libbloomery.a" 2>/dev/null | grep -E \
      ' (v?f?printf|f?puts|f?putc|putchar|fwrite|perror|v?syslog|(secure_)?getenv|_?_?environ|_?exit|_Exit|quick_exit|abort|system)$| _ZSt[0-9]+(w?cout|w?cerr|w?clog)$')
    grep -q ':fmt.cpp.o:.* fprintf$' <<<"$calls" || { echo "the check for calls finds none"; exit 1; }
    require_none "the library prints, exits or reads the environment" \
      "$(grep -v ':fmt.cpp.o:' <<<"$calls")"
    # Each public header compiles alone.
    for header in "$prefix"/include/bloomery/*.h; do
      echo "#include <bloomery/$(basename "$header")>" |
        "$cxx" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -x c++ -I"$prefix/include" -
    done
    cat install.log
    ;;
  *) echo "run.sh: no such way: $way"; exit 2 ;;
esac
