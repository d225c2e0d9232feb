#!/usr/bin/env bash
# charts.sh FOLDER: fetches with npm what draws the charts of reports, as cli/report/package-lock.json has it, and puts into FOLDER
# what the program takes in: vega.js, vega-lite.js, vega-interpreter.js, licences.txt.
set -euo pipefail
from=$(cd "$(dirname "${BASH_SOURCE[0]}")/../cli/report" && pwd)
mkdir -p "$1"
cd "$1"
cp "$from/package.json" "$from/package-lock.json" .
npm ci --ignore-scripts --no-audit --no-fund --silent
cd node_modules

cp vega/build/vega.min.js ../vega.js
cp vega-lite/build/vega-lite.min.js ../vega-lite.js
# It comes as a module only. The page has plain scripts, so its import and its export become those of one.
interpreter=vega-interpreter/build/vega-interpreter.js
if [[ $(grep -cE '^(import|export) ' "$interpreter") != 2 ]]; then
  echo "charts.sh: $interpreter has other imports and exports than it had" >&2
  exit 1
fi
{
  echo '(() => {'
  sed -E -e "s/^import (\{.*\}) from 'vega-util';/const \1 = vega;/" -e '/sourceMappingURL/d' \
    -e 's/^export \{ expression as expressionInterpreter \};/globalThis.vegaInterpreter = { expressionInterpreter: expression };/' \
    "$interpreter"
  echo '})();'
} >../vega-interpreter.js

# Of all packages that the scripts may hold a part of, with one text for all whose licence is the same. A package without a text
# stops the build: nothing goes into the program whose licence is not in the page.
declare -A text names
for package in * @*/*; do
  [[ -e $package/package.json ]] || continue
  licence=$(find "$package" -maxdepth 1 -iregex '.*/\(licen[cs]e\|copying\)[^/]*' | sort | head -n 1)
  if [[ -z $licence ]]; then
    echo "charts.sh: $package has no text of its licence" >&2
    exit 1
  fi
  sum=$(sha256sum <"$licence")
  names[$sum]+=" $package"
  text[$sum]=$licence
done
for sum in "${!text[@]}"; do printf '%s\t%s\n' "${names[$sum]# }" "${text[$sum]}"; done | sort |
  while IFS=$'\t' read -r packages file; do
    printf '%s\n\n' "$packages"
    cat "$file"
    printf '\n\n'
  done >../licences.txt
