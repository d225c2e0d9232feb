#include "parse/did_you_mean.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/ascii.h"

namespace bloomery {
namespace {

// Names are short; this keeps a hostile header from costing time.
constexpr std::size_t kMaxLength = 64;

// The number of edits between the two.
std::size_t distance(std::string_view a, std::string_view b) {
  // Rows of the usual table: two back, one back, and this one.
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[1][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    rows[2][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t best = std::min(rows[1][j], rows[2][j - 1]) + 1;
      best =
          std::min(best, rows[1][j - 1] + (ascii_lower(a[i - 1]) == ascii_lower(b[j - 1]) ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, rows[0][j - 2] + 1);
      }
      rows[2][j] = best;
    }
    std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  }
  return rows[1][b.size()];
}

}  // namespace

std::optional<std::string> did_you_mean(std::string_view typed,
                                        std::span<const std::string> known) {
  std::optional<std::string> best;
  if (typed.size() > kMaxLength) return best;
  std::size_t limit = std::max<std::size_t>(1, typed.size() / 3);
  for (const std::string& name : known) {
    if (name.size() > kMaxLength) continue;
    const std::size_t cost = distance(typed, name);
    if (cost > limit || (cost == limit && best)) continue;
    limit = cost;
    best = name;
  }
  return best;
}

}  // namespace bloomery
